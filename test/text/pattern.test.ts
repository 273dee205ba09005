import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternOf } from '../../src/text/pattern.js';
import { growth } from '../shared/growth.js';

const TEXTS = [
  'aaa!',
  'Aa b\u2028c',
  'x\n',
  'x',
  '',
  '昨天 3 weeks ago',
  'K s',
  '😀 \u00a0\ufeff',
  'a-b_c[d]^e.f/g',
  '\x01\b\0',
  'ÄäΣσς',
];

describe('matches as JavaScript does', () => {
  it.each([
    '(a+)+$',
    '^(?:a|aa)*!$',
    '\\bago\\b',
    '\\d+\\s*(天|周|weeks)',
    '[^\\s]+',
    '[\\S]',
    '\\S+',
    '.+',
    '.$',
    '^$',
    '[^]',
    '[]',
    '[[^]+',
    '\\u{1f600}',
    '\\ud83d\\ude00',
    '\\u00a0',
    '\\x61',
    '\\cA',
    '[\\b]',
    '\\0',
    '\\p{Script=Han}+',
    '\\p{L}+',
    '\\P{L}',
    '[\\p{Lu}_]+',
    '\\p{gc=Lu}',
    '(?<name>a)b?',
    '(?<=a)b',
    '(?<!a)b',
    'a??',
    'a*?b',
    '[\\w-]+',
    '\\/',
    '\\^',
    '[a\\]]+',
    '[.](f)',
    'a{2,3}',
    '\\B.',
    '\\W',
  ])('%s', (source) => {
    for (const flags of ['u', 'iu'] as const)
      for (const text of TEXTS) {
        const match = new RegExp(source, flags).exec(text);
        const expected = match === null ? undefined : { word: match[0], at: match.index };
        expect([text, flags, patternOf(source, flags).find(text)]).toEqual([text, flags, expected]);
        expect(patternOf(source, flags).test(text)).toBe(match !== null);
      }
  });

  it('whatever is put together', () => {
    const atom = fc.constantFrom('a', 'b', '.', '\\s', '[^a]', '[ab]', '\\b', '^', '$', '\\w', '');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
        fc.tuple(tie('pattern'), fc.constantFrom('?', '??', '{2}')).map(([one, count]) => `(?:${one}x)${count}`),
        fc.tuple(fc.constantFrom('a', '[ab]', '.'), fc.constantFrom('*', '+', '*?', '+?')).map((pair) => pair.join('')),
      ),
    }));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'x', ' ', '\n'), maxLength: 8 }),
        (source, text) => {
          const match = new RegExp(source, 'iu').exec(text);
          const expected = match === null ? undefined : { word: match[0], at: match.index };
          expect(patternOf(source, 'iu').find(text)).toEqual(expected);
        },
      ),
      { numRuns: 500, seed: 13 },
    );
  });
});

it.each([
  [
    '(a)\\1',
    'a backreference, `\\1` is not supported, as patterns are matched in linear time: write out the alternatives',
  ],
  ['(?<n>a)\\k<n>', /^a backreference, `\\k`/],
  ['a(?!b)', /^a lookahead, `\(\?!` is not supported/],
  ['a(?=b)', /^a lookahead/],
  ['((', /^not a regular expression/],
  ['a{2,1001}', /counts up to 1000/],
  ['(?:a{1000}){1000}', /cannot be matched in linear time/],
  ['\\p{Script_Extensions=Han}', /general categories and scripts/],
])('refuses %s', (source, message) => {
  expect(() => patternOf(source, 'u')).toThrow(message);
});

it.each(['(a+)+$', '(a|aa)*b', '(.*)(.*)(.*)(.*)x$', 'a*a*a*a*a*a*b', '(?<=a+)b'])('%s takes linear time', (source) => {
  const pattern = patternOf(source, 'iu');
  expect(growth(8000, (size) => pattern.find(`${'a'.repeat(size)}!`))).toBeLessThan(8);
});
