/** The contract of `byteHints`: a short or common one would have everything read, and nothing else would tell. */
import { expect, it } from 'vitest';
import { formats } from '../../src/formats/index.js';
import { fixtures } from '../shared/recordings.js';

const hinted = formats.flatMap(({ id, load }) =>
  Object.entries(load().byteHints ?? {}).map(([what, hints]) => [id, what, hints] as const),
);
const lines = fixtures().flatMap(({ bytes }) => bytes.toString().split('\n'));

it.each(hinted)('%s, %s: each hint stands in few lines, and is no other', (_, __, hints) => {
  for (const hint of hints) {
    expect(hint).toMatch(/^[\w"]{5,}$/);
    expect(lines.filter((line) => line.includes(hint)).length).toBeLessThan(lines.length / 2);
  }
  expect(new Set(hints).size).toBe(hints.length);
});
