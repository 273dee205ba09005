/** What a long string begins and ends with is decoded apart, and is what the decoded text begins and ends with. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { runs } from '../shared/random-runs.js';
import { fixtures } from '../shared/recordings.js';

const excerptOf = (text: string, size: number) => `${text.slice(0, size)}\n${text.slice(-size)}`;

/** Spelled as JSON.stringify does, with each character as an escape, or with a slash that needs none. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => `"${text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`,
  (text) => JSON.stringify(text).replaceAll('/', '\\/'),
];

const pieces = fc.constantFrom('a', 'word ', '\n', '"', '\\', '\\\\', '/', 'é', '日本', '😀', '\ud83d', '\u0001', '\t');

const RUNS = runs(1 / 2);

it('is that of the decoded text', () => {
  let known = 0;
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 12 }),
      fc.nat(600),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(...spellings),
      (some, more, size, spell) => {
        const text = some.join('').repeat(30) + 'x'.repeat(more) + some.join('').repeat(20);
        const node = parse(spell(text));
        const excerpt = node.excerpt(size);
        if (excerpt === undefined) return;
        known++;
        expect(excerpt).toBe(excerptOf(node.text, size));
        expect(node.text.length).toBeGreaterThan(2 * size);
      },
    ),
    RUNS,
  );
  expect(known).toBeGreaterThan(RUNS.numRuns / 3);
});

it('is that of texts in recordings', () => {
  let known = 0;
  const visit = (node: JsonNode): void => {
    for (const size of node.isString ? [3, 300, 400] : []) {
      const excerpt = node.excerpt(size);
      if (excerpt === undefined) continue;
      known++;
      expect(excerpt).toBe(excerptOf(node.text, size));
    }
    for (const item of node.items()) visit(item);
    for (const { value } of node.members()) visit(value);
  };
  for (const { bytes, name } of fixtures()) if (name.endsWith('.json')) visit(parse(bytes));
  expect(known).toBeGreaterThan(200);
});

it.each([
  ['a short text', '"abc"', 2],
  ['a number', '12345678', 1],
  ['a text of nothing but escapes', `"${'\\n'.repeat(500)}"`, 20],
  ['a text of long escapes', `"${'\\u0041'.repeat(100)}${'a'.repeat(900)}${'\\u0041'.repeat(100)}"`, 90],
])('is not told of %s', (_, json, size) => {
  expect(parse(json).excerpt(size)).toBeUndefined();
});
