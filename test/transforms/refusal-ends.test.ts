/** Whether a user refused a call is asked of the bytes at the beginning of a result: whatever stands there before. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import { textSays } from '../../src/transcript/text.js';
import { REFUSAL_SAYING } from '../../src/transforms/spoken-tools.js';

const REFUSALS = [
  "The user doesn't want to take this action right now",
  'exec command rejected by user',
  'The User rejected permission with feedback',
  '[Operation Cancelled] Reason: USER',
];
/** Of one byte in JSON to twelve; each is one or two characters of a text. */
const LETTERS = ['a', ' ', '"', '\\', '\n', '\u0001', 'é', '日', '語', '\u{1f600}', '\ud800', 'ｕ', 'ſ'];

/** So that the end of a text does not hold its beginning. */
const REST = '.'.repeat(5000);

it('reads a text in JSON as the decoded text', () => {
  const beginning = fc.array(fc.constantFrom(...LETTERS), { maxLength: 310 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(beginning, fc.constantFrom(...REFUSALS, 'no words of theirs'), beginning, (before, said, after) => {
      const text = before + said + after + REST;
      for (const json of [JSON.stringify(text), JSON.stringify(text).replaceAll('s', '\\u0073')])
        expect(textSays(parse(json), REFUSAL_SAYING)).toBe(REFUSAL_SAYING.says(text));
    }),
  );
});

it.each(['日', 'é', '"', 'a', '\u{1f600}'])('finds it behind as many %j as it looks at', (letter) => {
  const before = letter.repeat((300 - REFUSALS[0]!.length) / letter.length);
  expect(textSays(parse(JSON.stringify(before + REFUSALS[0] + REST)), REFUSAL_SAYING)).toBe(true);
});
