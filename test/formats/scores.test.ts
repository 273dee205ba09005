/**
 * How sure each format is of each kind of object in the fixtures, those of other formats too: as the interface has it,
 * from 0 to 1, or below 0 for what only another format writes. And of what no format knows: nothing.
 */
import { expect, it } from 'vitest';
import { formats } from '../../src/formats/index.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { fixtures } from '../shared/recordings.js';

const LARGEST = 7000;
const LEVELS = 5;
const NAMED = new Set(['type', 'role', 'source', 'action', 'kind']);

/** One object of each kind, by its members and what it says of itself. */
const kinds = new Map<string, JsonNode>();
for (const { bytes } of fixtures()) {
  if (bytes.length > LARGEST) continue;
  for (const text of [bytes.toString(), ...bytes.toString().split('\n')]) {
    if (!/^\s*[[{]/.test(text)) continue;
    try {
      collect(parse(text), LEVELS);
      if (text.length === bytes.length) break;
    } catch {} // lines of their own
  }
}

function collect(node: JsonNode, depth: number): void {
  if (depth === 0) return;
  for (const item of node.isArray ? node.items() : []) collect(item, depth);
  if (!node.isObject) return;
  const members = node.members();
  const said = members.map(({ key, value }) => (NAMED.has(key.text) ? `${key.text}=${value.json}` : key.text));
  kinds.set(said.sort().join(), node);
  for (const { value } of members) collect(value, depth - 1);
}

it.each(formats)('$id is sure from 0 to 1, or rejects', ({ load }) => {
  const { score } = load();
  const wrong = [...kinds.values()].filter((node) => !(score(node) <= 1 && score(node) >= -1));
  expect(wrong.map(({ json }) => [json, score(parse(json))])).toEqual([]);
  const members = ['"a":1', '"type":1', '"type":""', '"id":"a"', '"timestamp":"t"', '"id":"a","timestamp":"t"'];
  for (const text of ['{}', '[]', '0', 'null', '"x"', 'true', ...members.map((some) => `{${some}}`)])
    expect([text, score(parse(text))]).toEqual([text, 0]);
});

it('objects of more than a thousand kinds are tried', () => {
  expect(kinds.size).toBeGreaterThan(1000);
});
