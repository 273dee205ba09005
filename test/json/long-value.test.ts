/** A value that is most of its input gets memory for the rest of it at once, whatever size was said. */
import { expect, it } from 'vitest';
import { rows } from '../../src/json/rows.js';

const LONG = 1 << 20;

/** What is read of a text whose size was said to be `size`, and the lengths of the buffers that it is read into. */
function read(text: string, size: number | undefined) {
  const all = Buffer.from(text);
  const buffers = new Set<Buffer>();
  let at = 0;
  const events = rows(
    (buffer, start, length) => {
      buffers.add(buffer);
      const got = all.copy(buffer, start, at, at + length);
      at += got;
      return got;
    },
    { size, skipBadLines: true },
  );
  const records = [...events].flatMap((event) =>
    event.type === 'record' ? [`${event.line} ${event.root.json}`] : event.type === 'bad' ? [`${event.line} bad`] : [],
  );
  return { records, lengths: [...buffers].map(({ length }) => length) };
}

const long = JSON.stringify({ text: 'a'.repeat(20 * LONG) });
const texts = {
  'a document': `${long}\n`,
  'a document without an end': long.slice(0, -1),
  'a long line, and short ones': `${long}\n{"a":1}\nno\n{"b":2}\n`,
  'long lines': `${JSON.stringify('b'.repeat(2 * LONG))}\n`.repeat(6),
};

it.each(Object.entries(texts))('%s is read alike, whatever size was said', (_, text) => {
  const expected = read(text, undefined).records;
  for (const size of [0, 1, LONG, text.length - 1, text.length, text.length + 1, 3 * text.length])
    expect(read(text, size).records).toEqual(expected);
});

it('leaves little memory behind', () => {
  const text = texts['a document'];
  const sum = (lengths: readonly number[]) => lengths.reduce((all, length) => all + length, 0);
  const [unknown, known] = [undefined, text.length].map((size) => sum(read(text, size).lengths));
  expect(known! / text.length).toBeLessThan(1.5);
  expect(unknown! / text.length).toBeGreaterThan(2);
});
