import { expect, it } from 'vitest';
import { folded } from '../../../src/cli/terminal/fold.js';

it('breaks messages between words', () => {
  expect(folded('ctx-trim: no cost is known of 4 requests\nshort\n', 24)).toBe(
    'ctx-trim: no cost is\n  known of 4 requests\nshort\n',
  );
});

it('keeps what fits, colors and the progress bar', () => {
  for (const text of ['ctx-trim: it fits', `\x1b[1m${'a b '.repeat(20)}`, `\r${'a b '.repeat(20)}`])
    expect(folded(text, 20)).toBe(text);
});

it('leaves a path that is longer than a line to the terminal, and counts from its end', () => {
  const path = `/${'p'.repeat(29)}`;
  expect(folded(`ctx-trim: ${path} is bad, and more`, 20)).toBe(`ctx-trim: ${path}\n  is bad, and more`);
  expect(folded(`at ${path} is bad now`, 20)).toBe(`at ${path} is bad\n  now`);
});
