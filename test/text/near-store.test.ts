/** The index of near duplicates: runs in a file give the same as everything in memory. */
import { expect, it } from 'vitest';
import { NearStore } from '../../src/engine/select/near-store.js';
import { mixed } from '../../src/engine/select/words.js';

const PLACES = 8;
const BANDS = 4;

/** A file in memory; counts what is read. */
function createFile() {
  let all = Buffer.alloc(0);
  const reads = { count: 0 };
  return {
    reads,
    write(bytes: Uint8Array, start: number, end: number) {
      all = Buffer.concat([all, bytes.subarray(start, end)]);
    },
    at(position: number, length: number) {
      reads.count++;
      return all.subarray(position, position + length);
    },
  };
}

it('finds in all runs what has a key, and reads the file for little else', () => {
  const file = createFile();
  const store = new NearStore(PLACES, BANDS, file, 64); // 16 texts in a run
  const added: { readonly signature: readonly number[]; readonly keys: readonly number[] }[] = [];
  const found = { texts: 0, reads: 0 };
  for (let text = 0; text < 1000; text++) {
    // some keys of another text before it, or the lowest and the highest of all
    const other = added[mixed(text) % Math.max(1, added.length)];
    const keys = Array.from({ length: BANDS }, (_, band) => {
      if (text % 5 === 0 && band % 2 === 0 && other !== undefined) return other.keys[band]!;
      return text % 97 === 0 ? [0, 2 ** 32 - 1][band % 2]! : mixed(text * BANDS + band + 1);
    });
    const signature = Array.from({ length: PLACES }, (_, place) => (text * 31 + place) & 0xffff);
    const expected = added.filter((one) => one.keys.some((key) => keys.includes(key)));
    file.reads.count = 0;
    const actual = [...store.having(keys)].map((one) => [...one].join());
    expect(actual.sort()).toEqual(expected.map((one) => one.signature.join()).sort());
    found.texts += expected.length;
    found.reads += file.reads.count;
    store.add(Uint16Array.from(signature), keys);
    added.push({ signature, keys });
  }
  expect(found.texts).toBeGreaterThan(300);
  expect(found.reads).toBeLessThan(6 * found.texts);
});
