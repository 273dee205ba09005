/** Edits deep inside of a value, against the same edits of what JSON.parse makes of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { PlainNode } from '../../src/json/plain-node.js';
import { printed } from '../../src/json/print.js';
import { type Addition, type NodeChange, replaceWithin } from '../../src/json/replace.js';
import { growth } from '../shared/growth.js';
import { runs } from '../shared/random-runs.js';

/** All values in a value, itself first. */
function valuesIn(node: JsonNode): JsonNode[] {
  const children = node.isArray ? node.items() : node.members().map(({ value }) => value);
  return [node, ...children.flatMap(valuesIn)];
}

/** What is expected: each value by where it begins and ends. Undefined: it is removed. */
function model(node: JsonNode, changes: readonly NodeChange[], added: readonly Addition[]): unknown {
  const own = changes.find((change) => change.node.is(node));
  if (own !== undefined) return own.value;
  if (node.isArray)
    return node
      .items()
      .map((item) => model(item, changes, added))
      .filter((item) => item !== undefined);
  if (!node.isObject) return JSON.parse(node.json);
  const entries = node.members().map(({ key, value }) => [key.text, model(value, changes, added)]);
  const more = added.filter(({ holder }) => holder.is(node)).map(({ key, value }) => [key, value]);
  return Object.fromEntries([...entries, ...more]);
}

it.each([
  ['bytes', parse],
  ['JavaScript values', (text: string) => PlainNode.root(JSON.parse(text))],
] as const)('of %s: changes, removes and adds what it is told to, in any order, and nothing else', (_, read) => {
  const value = fc.array(
    fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat())),
  );
  const picks = fc.array(fc.tuple(fc.nat(200), fc.constantFrom(undefined, 7, 'x', null)), { maxLength: 8 });
  fc.assert(
    fc.property(value, picks, picks, fc.boolean(), (any, changed, more, isSpaced) => {
      const root = read(JSON.stringify([any], undefined, isSpaced ? 1 : undefined));
      const all = valuesIn(root).slice(1);
      const holders = all.filter((node) => node.isObject);
      const changes = changed.map(([at, now]) => ({ node: all[at % all.length]!, value: now }));
      const added =
        holders.length === 0
          ? []
          : more.map(([at, now], index) => ({
              holder: holders[at % holders.length]!,
              key: `new${index}`,
              value: now,
            }));
      const after = printed(replaceWithin(root, changes, added));
      expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(model(root, changes, added))));
      expect(printed(replaceWithin(root, []))).toBe(root.json);
    }),
    runs(1 / 2),
  );
});

it('a change of the whole value is its new value; one of another value changes nothing', () => {
  const [root, other] = [parse('{"a":[1]}'), parse('{"a":[1]}')];
  expect(printed(replaceWithin(root, [{ node: root, value: 5 }]))).toBe('5');
  expect(printed(replaceWithin(root, [{ node: root, value: null }]))).toBe('null');
  expect(replaceWithin(root, [{ node: root, value: undefined }])).toBe(root);
  expect(replaceWithin(root, [{ node: other.get('a')!, value: 5 }])).toBe(root);
  expect(replaceWithin(root, [], [{ holder: other, key: 'b', value: 5 }])).toBe(root);
});

it('takes as long as there is to change', () => {
  const roots = new Map(
    [2000, 8000].map((size) => [size, parse(JSON.stringify(Array.from({ length: size }, (_, a) => ({ a }))))] as const),
  );
  const work = (size: number) => {
    const root = roots.get(size)!;
    return replaceWithin(
      root,
      root.items().map((item) => ({ node: item.get('a')!, value: 0 })),
    );
  };
  expect(growth(2000, work)).toBeLessThan(8);
});
