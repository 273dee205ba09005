/**
 * Maps the values inside a JSON value. Values that the callback leaves alone stay the same nodes. Used to update what
 * repeats edited messages: cut texts (apply-cuts.ts), duplicates in the same record (sync-duplicates.ts), and copies in
 * any provider's format (sync-copies.ts).
 */
import { type Json, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';

/** The result for a value: another value, the same node, or `REMOVED`. */
export type MappedValue = Json | typeof REMOVED;
/** Removes a value from the object or array around it. */
export const REMOVED = Symbol('removed');

/**
 * Maps one value; undefined descends into it. `key`: the key of the value, or (`isItem`) of the array around it.
 */
export type MapValue = (node: JsonNode, key: string, isItem: boolean) => MappedValue | undefined;

/** Whether the value was not removed. */
export function isKept(mapped: MappedValue): mapped is Json {
  return mapped !== REMOVED;
}

/** Values nested deeper than this are left alone. */
export const MAX_DEPTH = 200;
let level = 0;

/** Maps a value and the values inside it. Returns the same node if nothing changes. */
export function mapDeep(node: JsonNode, mapValue: MapValue, key = '', isItem = false): MappedValue {
  const mapped = mapValue(node, key, isItem);
  return mapped === undefined ? mapChildren(node, mapValue, key) : mapped;
}

/** Maps only the values inside a value. */
export function mapChildren(node: JsonNode, mapValue: MapValue, key = ''): Json {
  if (level >= MAX_DEPTH) return node;
  level++;
  try {
    return mapMembers(node, mapValue, key);
  } finally {
    level--;
  }
}

function mapMembers(node: JsonNode, mapValue: MapValue, key: string): Json {
  if (node.isArray)
    return patchEach(node, (item) => {
      const mapped = mapDeep(item, mapValue, key, true);
      return isKept(mapped) ? mapped : undefined;
    });
  if (!node.isObject) return node;
  const fields = new Map<string, Json | undefined>();
  for (const member of node.members()) {
    const mapped = mapDeep(member.value, mapValue, member.key.text);
    if (mapped !== member.value) fields.set(member.key.text, isKept(mapped) ? mapped : undefined);
  }
  return patch(node, Object.fromEntries(fields));
}
