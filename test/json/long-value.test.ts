/** A value that is most of its input gets memory for the rest of it at once, whatever size was said. */
import { expect, it } from 'vitest';
import type { JsonNode } from '../../src/json/node.js';
import { rows, type Span } from '../../src/json/rows.js';
import { ALL } from '../shared/effort.js';

const LONG = 1 << 20;

/** What is read of a text whose size was said to be `size`, and the lengths of the buffers that it is read into. */
function read(text: string, size: number | undefined) {
  const input = Buffer.from(text);
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
  const read = [...events];
  const records = read.flatMap((event) =>
    event.type === 'record' ? [`${event.line} ${event.root.json}`] : event.type === 'bad' ? [`${event.line} bad`] : [],
  );
  const spans = () =>
    read.flatMap((event): (Span | JsonNode)[] => [
      ...('gap' in event ? [event.gap] : []),
      ...('span' in event ? [event.span] : 'root' in event ? [event.root] : []),
    ]);
  const textOf = (span: Span | JsonNode) =>
    'source' in span ? span.json : span.bytes.toString('utf8', span.start, span.end);
  return { records, text: () => spans().map(textOf).join(''), lengths: [...buffers].map(({ length }) => length) };
}

const long = JSON.stringify({ text: 'a'.repeat(33 * LONG) });
/** Its positions take half as much as its bytes. */
const dense = `{"a":[${`"${'b'.repeat(30)}",`.repeat(LONG)}1]}`;
const texts: Readonly<Record<string, string>> = {
  // positions grow beyond their room, and lines follow that are read into the same buffer
  'many small values': ` \n ${dense}\n{"b":2}\n`,
  'long lines, of which some are bad': `${dense}\n ${long.slice(0, -2)}\n{"b":2}`,
  'a document': `${long}\n`,
  'a document without an end': long.slice(0, -1),
  'a long line, and short ones': `${long}\n{"a":1}\nno\n{"b":2}\n`,
  'long lines': `${JSON.stringify('b'.repeat(2 * LONG))}\n`.repeat(6),
};

/** Each of them takes long. */
const SIZED = ['a document', 'a long line, and short ones', 'long lines'];

/** Too little, nearly and a little more than enough, by default. */
function sizesAround(length: number): readonly number[] {
  return ALL ? [0, 1, LONG, length - 1, length, length + 1, 3 * length] : [LONG, length - 1, length + 1];
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

it.each(Object.entries(texts))('%s is read alike, whatever size was said', (name, text) => {
  const expected = read(text, undefined).records;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
  expect(expected).toEqual(
    lines.flatMap((line, at) => (line === '' ? [] : [`${at + 1} ${isJson(line) ? line : 'bad'}`])),
  );
  expect(read(text, text.length).text()).toBe(text);
  for (const size of SIZED.includes(name) ? sizesAround(text.length) : [text.length])
    expect(read(text, size).records).toEqual(expected);
});

it('leaves little memory behind', () => {
  const text = texts['a document']!;
  const sum = (lengths: readonly number[]) => lengths.reduce((all, length) => all + length, 0);
  const [unknown, known] = [undefined, text.length].map((size) => sum(read(text, size).lengths));
  expect(known! / text.length).toBeLessThan(1.5);
  expect(unknown! / text.length).toBeGreaterThan(2);
});
