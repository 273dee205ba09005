/** Rows are given as they come: nothing waits for the end of the input. */
import { expect, it } from 'vitest';
import { rows } from '../../src/json/rows.js';

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
