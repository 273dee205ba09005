/** Lists in numbered keys: `llm.input_messages.0.message.role`. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { ElementEdit, NumberedElement } from './attributes.js';

/** The value of an attribute. */
export type GetAttribute = (key: string) => JsonNode | undefined;

/** The elements of the list `name`. Gaps between their numbers are closed. */
export function numberedElements(keys: Iterable<string>, name: string, get: GetAttribute): NumberedElement[] {
  const elements: Map<string, JsonNode>[] = [];
  for (const key of keys) {
    const numbered = parseKey(key, name);
    const value = numbered && get(key);
    if (value === undefined) continue;
    const [index, suffix] = numbered!;
    elements[index] ??= new Map();
    elements[index].set(suffix, value);
  }
  return Object.values(elements);
}

function parseKey(key: string, name: string): [index: number, suffix: string] | undefined {
  const match = key.startsWith(`${name}.`) ? /^(\d+)\.(.+)$/.exec(key.slice(name.length + 1)) : null;
  return match === null ? undefined : [Number(match[1]), match[2]!];
}

/** The values of a list with other elements, by their renumbered keys; undefined for keys to remove. */
export function renumberKeys(
  keys: readonly string[],
  name: string,
  elements: readonly ElementEdit[],
  get: GetAttribute,
): Map<string, Json | undefined> {
  const old = numberedElements(keys, name, get);
  const values = new Map<string, Json | undefined>();
  for (const key of keys) if (parseKey(key, name) !== undefined) values.set(key, undefined);
  elements.forEach(({ from, changes }, index) => {
    const kept = from === undefined ? [] : [...old[from]!].filter(([suffix]) => !changes.has(suffix));
    for (const [suffix, value] of kept) values.set(`${name}.${index}.${suffix}`, value);
    for (const [suffix, value] of changes) if (value !== undefined) values.set(`${name}.${index}.${suffix}`, value);
  });
  return values;
}
