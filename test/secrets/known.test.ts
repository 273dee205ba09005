import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKnownSecrets } from '../../src/secrets/known.js';
import { runs } from '../shared/random-runs.js';

const MARK = '[secret]';

function knownOf(...secrets: readonly string[]) {
  const known = createKnownSecrets();
  for (const secret of secrets) known.add(secret, MARK);
  return known;
}

it('replaces the longest of those that begin in one place, and no part of another', () => {
  const known = knownOf('abcd', 'abcdef', 'xabc', 'abc');
  expect(known.replacedIn('abcdef, abcde, abc, xabcd abcd')).toBe(`${MARK}, ${MARK}e, abc, ${MARK}d ${MARK}`);
  expect(known.replacedIn('')).toBe('');
});

it('leaves none of them in a text', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 4, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(secret, { maxLength: 6 }), fc.array(secret, { maxLength: 6 }), (secrets, texts) => {
      const before = texts.join(' ');
      const after = knownOf(...secrets).replacedIn(before);
      for (const one of secrets) expect(after).not.toContain(one);
      if (!secrets.some((one) => before.includes(one))) expect(after).toBe(before);
    }),
    runs(),
  );
});
