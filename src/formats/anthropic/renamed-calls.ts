/** Calls whose id was changed: log lines that refer to the old id are updated. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { mapDeep } from '../shared/map-values.js';

/** Pairs of old and new call id. Empty if calls were added or removed, as ids are paired by order. */
export function renamedCalls(
  before: readonly string[],
  after: readonly string[],
): (readonly [before: string, after: string])[] {
  if (before.length !== after.length) return [];
  return before.flatMap((id, index) => (id === after[index] ? [] : [[id, after[index]!] as const]));
}

/** Replaces old ids by new ones in all members with these keys, at any depth. */
export function withNewIds(
  node: JsonNode,
  renamed: ReadonlyMap<string, string>,
  members: ReadonlySet<string>,
  key = '',
): Json {
  if (renamed.size === 0) return node;
  return mapDeep(
    node,
    (value, name) => {
      if (!value.isString) return undefined;
      return (members.has(name) ? renamed.get(value.text) : undefined) ?? value;
    },
    key,
  ) as Json;
}
