/** Every short pattern over every short name, against a regular expression. */
import { expect, it } from 'vitest';
import { globOf, isGlob, matches, type Step } from '../../src/text/glob.js';

function textsOf(pieces: readonly string[], most: number): string[] {
  if (most === 0) return [''];
  const shorter = textsOf(pieces, most - 1);
  return [...new Set([...shorter, ...shorter.flatMap((text) => pieces.map((piece) => text + piece))])];
}

const AS_REGEXP: Readonly<Record<string, string>> = {
  '*': '.*',
  '?': '.',
  '[ab]': '[ab]',
  '[!a]': '[^a]',
  '{a,bb}': '(?:a|bb)',
  '{,?a}': '(?:|.a)',
  '{a*}': '(?:a.*)',
  a: 'a',
  '.': '\\.',
  '😀': '😀',
};

it('means what its signs say', () => {
  const names = textsOf(['a', 'b', '.', '😀'], 3);
  const lists = textsOf(
    Object.keys(AS_REGEXP).map((sign) => `${sign}\0`),
    3,
  ).map((list) => list.split('\0').slice(0, -1));
  for (const list of lists) {
    const glob = globOf(list.join(''));
    const pattern = new RegExp(`^${list.map((sign) => AS_REGEXP[sign]).join('')}$`, 'su');
    const wrong = names.find((name) => glob.test(name) !== pattern.test(name));
    expect(wrong, list.join('')).toBe(undefined);
  }
});

it.each([
  ['[]', '[]'],
  ['[', '['],
  ['{', '{'],
  ['a]', 'a]'],
  ['*[', 'x['],
  ['{}*', 'x'],
  ['[\\]', '\\'],
  ['[a-c]', 'b'],
  ['*\n', 'x\n'],
  ['?', '\n'],
])('%j fits %j', (pattern, name) => {
  expect(globOf(pattern).test(name)).toBe(true);
});

it('a set of characters that is none is refused', () => {
  expect(isGlob('[z-a]')).toBe(false);
  expect(isGlob('[a-z]')).toBe(true);
  expect(() => globOf('[z-a]')).toThrow('`[z-a]` is not a set of characters that a name can be matched with');
});

it('folders and names within one fit up to a slash', () => {
  const fits = (steps: readonly Step[], name: string) => matches(steps, [...name]);
  const names = textsOf(['a', 'b', '/'], 4);
  const letter = (wanted: string): Step => ({ fits: (character) => character === wanted });
  for (const [steps, pattern] of [
    [['within', letter('a')], /^[^/]*a$/],
    [['folders', letter('a')], /^(?:.*\/)?a$/],
    [['folders', 'within', letter('/'), 'within'], /^(?:.*\/)?[^/]*\/[^/]*$/],
    [[letter('a'), 'folders', letter('b')], /^a(?:.*\/)?b$/],
    [[letter('a'), { either: [[letter('b')], ['within']] }, 'folders', letter('a')], /^a(?:b|[^/]*)(?:.*\/)?a$/],
  ] as const)
    for (const name of names)
      expect(fits(steps as readonly Step[], name), `${pattern} ${name}`).toBe(pattern.test(name));
});
