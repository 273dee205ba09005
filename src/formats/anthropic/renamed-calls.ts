/** Lines of a log that tell of a call which has another id now: they are kept, and name the new one. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { mapDeep } from '../shared/map-values.js';

/** The calls that have another id now, where none went and none came: old id and new. */
export function renamedCalls(
  before: readonly string[],
  after: readonly string[],
): (readonly [before: string, after: string])[] {
  if (before.length !== after.length) return [];
  return before.flatMap((id, index) => (id === after[index] ? [] : [[id, after[index]!] as const]));
}

/** The value with the new ids in the members of these names, however deep. */
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
