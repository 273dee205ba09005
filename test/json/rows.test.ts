/** Rows are given as they come: nothing waits for the end of the input. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rows } from '../../src/json/rows.js';
import { isJson } from '../shared/is-json.js';
import { runs } from '../shared/random-runs.js';

it.each([
  ['lines', '{"a":1}\n', ''],
  ['an array', '{"a":1},\n', '['],
])('the first record of %s comes before most of the input is read', (_, line, start) => {
  const text = Buffer.from(start + line.repeat(10_000));
  let read = 0;
  const events = rows(
    (buffer, at, length) => {
      const got = text.copy(buffer, at, read, read + length);
      read += got;
      return got;
    },
    { chunk: 100 },
  );
  expect(events.next().value).toMatchObject({ type: 'open', array: start === '[' });
  expect(events.next().value).toMatchObject({ type: 'record', line: 1 });
  expect(read).toBeLessThan(1000);
});

it('lines are numbered as they stand, whether they are JSON or not', () => {
  const line = fc.constantFrom('{"a":1}', '[1]', '{"a" 1}', 'no', 'é"', '');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 3, 50), (lines, chunk) => {
      const text = Buffer.from(`${['{"first":0}', ...lines, '{"last":1}'].slice(lines.length % 2).join('\n')}\n`);
      let read = 0;
      const input = (buffer: Buffer, at: number, length: number) => {
        const got = text.copy(buffer, at, read, read + length);
        read += got;
        return got;
      };
      const told = [...rows(input, { chunk, skipBadLines: true })].flatMap((event) =>
        event.type === 'record' || event.type === 'bad' ? [`${event.line} ${event.type}`] : [],
      );
      const kindOf = (one: string) => (isJson(one) ? 'record' : 'bad');
      const all = text.toString().split('\n');
      const expected = all.flatMap((one, index) => (one === '' ? [] : [`${index + 1} ${kindOf(one)}`]));
      expect(told).toEqual(expected);
    }),
    runs(1 / 3),
  );
});
