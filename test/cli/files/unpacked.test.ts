/** Compressed content that is far larger than what is unpacked at once, in chunks of any size. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpacked } from '../../../src/cli/files/compressed.js';
import { createXxh64 } from '../../../src/cli/files/xxh64.js';
import { ALL, cases } from '../../shared/effort.js';
import { zstdFrame } from '../../shared/zstd.js';

const MB = 1 << 20;
const hasZstd = spawnSync('zstd', ['--version']).status === 0;
const NOISE = Buffer.from(randomBytes(MB / 2).toString('hex'));
const LONG = ALL ? 100 : 32;
const RUNS = Buffer.concat(Array.from({ length: LONG }, (_, n) => Buffer.alloc(MB, 97 + (n % 26))));

const packers: readonly (readonly [name: string, pack: (content: Buffer) => Buffer])[] = [
  ['gzip', (content) => gzipSync(content, { level: 1 })],
  ['zstd, by hand', zstdFrame],
  ...(hasZstd ? ([['zstd', viaZstd]] as const) : []),
];

describe.each(packers)('%s', (_name, pack) => {
  it('gives 1 MB of noise back, in chunks of any size', async () => {
    const packed = pack(NOISE);
    expect(packed.length).toBeGreaterThan(MB / 3);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 }),
        async (sizes) => {
          expect(await digest(packed, sizes)).toBe(hash(NOISE));
        },
      ),
      { numRuns: cases(8, 20, 'CTX_TRIM_FUZZ') },
    );
  });

  it(`gives ${LONG} MB back`, async () => {
    expect(await digest(pack(RUNS), [1 << 16])).toBe(hash(RUNS));
  });

  it('gives several parts back', async () => {
    expect(await digest(Buffer.concat([pack(NOISE), pack(NOISE)]), [50_000])).toBe(hash(Buffer.concat([NOISE, NOISE])));
  });

  it('is refused when it is cut off anywhere', async () => {
    const packed = pack(NOISE.subarray(0, MB / 4));
    const ends = [5, 17, 18, 19, 16_384, 20_000, 100_000, packed.length - 5, packed.length - 1];
    for (const end of ends) await expect(digest(packed.subarray(0, end), [16_384])).rejects.toThrow('it is incomplete');
  });

  it('is refused when a length or kind in it is damaged', async () => {
    const packed = Buffer.from(pack(NOISE.subarray(0, MB / 4)));
    packed[_name === 'gzip' ? 60_000 : 6]! ^= 0xff; // the head of the first block, or what Huffman codes stand for
    await expect(digest(packed, [16_384])).rejects.toThrow('cannot be unpacked');
  });
});

describe.skipIf(!hasZstd)('zstd with a checksum', () => {
  it.each([0, 1, 31, 32, 33, 63, 1000, 1003, 1005, MB / 2])('of %i bytes is read', async (length) => {
    const content = NOISE.subarray(0, length);
    expect(await digest(viaZstd(content), [7, 70_000])).toBe(hash(content));
  });

  it('gives its content or is refused, whatever is damaged', async () => {
    const content = NOISE.subarray(0, 10_000);
    const packed = viaZstd(content);
    const checked = fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const damaged = Buffer.from(packed);
      damaged[at]! ^= bits;
      const got = await digest(damaged, [16_384]).catch((error: Error) => error.message);
      if (got !== hash(content)) expect(got).toContain('the zstd file cannot be unpacked');
    });
    await fc.assert(checked, { numRuns: cases(50, 300, 'CTX_TRIM_FUZZ'), seed: 20_261_122 });
  });
});

it('a frame of zstd whose checksum does not match is refused', async () => {
  const hello = Buffer.from('28b52ffd0438290000', 'hex'); // one block of 5 bytes, unpacked
  const sum = Buffer.alloc(4);
  const hashed = createXxh64();
  hashed.update(Buffer.from('hello'));
  sum.writeUInt32LE(hashed.low());
  const frame = (text: string) => Buffer.concat([hello, Buffer.from(text), sum]);
  expect(await digest(frame('hello'), [99])).toBe(hash(Buffer.from('hello')));
  await expect(digest(frame('hallo'), [99])).rejects.toThrow('its checksum does not match');
});

it.each([
  ['', 0x51d8e999],
  ['a', 0xa98c6e5b],
  ['abc', 0xad770999],
])('XXH64 of "%s"', (text, low) => {
  const hashed = createXxh64();
  hashed.update(Buffer.from(text));
  expect(hashed.low()).toBe(low);
});

if (!hasZstd) it.skip('of the program zstd: it is not installed here');

/** The hash of what comes out if reads give as many bytes as the sizes say, in turn. */
async function digest(packed: Buffer, sizes: readonly number[]): Promise<string> {
  let done = 0;
  let reads = 0;
  const source = (buffer: Buffer, at: number, length: number) => {
    const taken = packed.copy(buffer, at, done, done + Math.min(length, sizes[reads++ % sizes.length]!));
    done += taken;
    return taken;
  };
  const { read } = await unpacked(source, packed.subarray(0, 4).toString('latin1'));
  const sum = createHash('sha1');
  const buffer = Buffer.alloc(1 << 16);
  for (;;) {
    const got = read(buffer, 0, buffer.length);
    if (got === 0) return sum.digest('hex');
    sum.update(buffer.subarray(0, got));
  }
}

function hash(content: Buffer): string {
  return createHash('sha1').update(content).digest('hex');
}

function viaZstd(content: Buffer): Buffer {
  return execFileSync('zstd', ['-q', '-c', '-'], { input: content, maxBuffer: 4 * MB });
}
