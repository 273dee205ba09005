/** Inputs of calls whose long strings a note replaces: where a string ends is what `JSON.parse` says (RFC 8259). */
import { expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import { withShorterInput } from '../../src/transforms/shorter-input.js';
import { CHARACTERS } from '../shared/rewrite-text.js';

const NOTE = '[out of date]';
const LONG = 'line\n'.repeat(9);

function shortened(input: string): string {
  return textOf(withShorterInput({ type: 'call', callId: 'c', tool: 't', input }, NOTE, [], CHARACTERS).input);
}

it.each([0, 1, 2, 3, 4])('a string ends behind %i backslashes, and goes on behind as many and a quote', (count) => {
  const slashes = '\\'.repeat(count);
  for (const short of [slashes, `${slashes}"`]) {
    const values = { first: short, second: LONG, third: `${LONG}${short}`, fourth: short };
    const after = JSON.parse(shortened(JSON.stringify(values))) as unknown;
    expect(after).toEqual({ ...values, second: NOTE, third: NOTE });
  }
});
