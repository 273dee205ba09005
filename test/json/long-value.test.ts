/** A value that is most of its input gets memory for the rest of it at once, whatever size was said. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { rows, type Span } from '../../src/json/rows.js';
import { ALL } from '../shared/effort.js';

const LONG = 1 << 20;

/** What is read of an input whose size was said to be `size`, and the lengths of the buffers that it is read into. */
function read(input: Buffer, size: number | undefined) {
  const buffers = new Set<Buffer>();
  let at = 0;
  const events = rows(
    (buffer, start, length) => {
      buffers.add(buffer);
      const got = input.copy(buffer, start, at, at + length);
      at += got;
      return got;
    },
    { size, skipBadLines: true },
  );
  const all = createHash('sha1');
  const records: string[] = [];
  for (const event of [...events]) {
    if ('gap' in event) all.update(bytesOf(event.gap));
    if ('span' in event) all.update(bytesOf(event.span));
    if (event.type === 'record') {
      const { source, start, end } = event.root;
      const bytes = source.bytes.subarray(start, end);
      all.update(bytes);
      records.push(`${event.line} ${sumOf(bytes)}`);
    }
    if (event.type === 'bad') records.push(`${event.line} bad`);
  }
  return { records, sum: all.digest('hex'), lengths: [...buffers].map(({ length }) => length) };
}

const bytesOf = ({ bytes, start, end }: Span) => bytes.subarray(start, end);
/** Texts of this length are compared by their sums, which takes a tenth of the time. */
const sumOf = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

const long = JSON.stringify({ text: 'a'.repeat(33 * LONG) });
/** Its positions take half as much as its bytes. */
const dense = `{"a":[${`"${'b'.repeat(30)}",`.repeat(LONG)}1]}`;
const texts: Readonly<Record<string, { readonly text: string; readonly bad?: readonly number[] }>> = {
  // positions grow beyond their room, and lines follow that are read into the same buffer
  'many small values': { text: ` \n ${dense}\n{"b":2}\n` },
  'long lines, of which some are bad': { text: `${dense}\n ${long.slice(0, -2)}\n{"b":2}`, bad: [2] },
  'a document': { text: `${long}\n` },
  'a document without an end': { text: long.slice(0, -1), bad: [1] },
  'a long line, and short ones': { text: `${long}\n{"a":1}\nno\n{"b":2}\n`, bad: [3] },
  'long lines': { text: `${JSON.stringify('b'.repeat(2 * LONG))}\n`.repeat(6) },
};

/** Each of them takes long. */
const SIZED = ['a document', 'a long line, and short ones', 'long lines'];

/** Too little, nearly and a little more than enough, by default. */
function sizesAround(length: number): readonly number[] {
  return ALL ? [0, 1, LONG, length - 1, length + 1, 3 * length] : [LONG, length - 1, length + 1];
}

it('the line of many small values is JSON', () => {
  expect(JSON.parse(dense).a).toHaveLength(LONG + 1);
});

it.each(Object.entries(texts))('%s is read alike, whatever size was said', (name, { text, bad = [] }) => {
  const expected = text.split('\n').flatMap((line, at) => {
    const json = line.trim();
    if (json === '') return [];
    return `${at + 1} ${bad.includes(at + 1) ? 'bad' : sumOf(Buffer.from(json))}`;
  });
  const input = Buffer.from(text);
  for (const size of [undefined, input.length, ...(SIZED.includes(name) ? sizesAround(input.length) : [])]) {
    const { records, sum } = read(input, size);
    expect(records).toEqual(expected);
    expect(sum).toBe(sumOf(input));
  }
});

it('leaves little memory behind', () => {
  const input = Buffer.from(texts['a document']!.text);
  const sum = (lengths: readonly number[]) => lengths.reduce((all, length) => all + length, 0);
  const [unknown, known] = [undefined, input.length].map((size) => sum(read(input, size).lengths));
  expect(known! / input.length).toBeLessThan(1.5);
  expect(unknown! / input.length).toBeGreaterThan(2);
});
