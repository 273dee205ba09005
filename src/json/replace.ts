/** Edits values deep inside of another value. */
import { type Json, patch, patchEach } from './edit.js';
import type { JsonNode } from './node.js';

/** A member that is added to an object, or gets another value; undefined removes it. */
export interface Addition {
  readonly holder: JsonNode;
  readonly key: string;
  readonly value: Json | undefined;
}

/** A new value for a node; undefined removes it. */
export interface NodeChange {
  readonly node: JsonNode;
  readonly value: Json | undefined;
}

/**
 * The value with changes in it, and with members added to some objects. All other values keep their bytes. The first of
 * several changes of a node wins. The value itself must not be removed.
 */
export function replaceWithin(root: JsonNode, changes: readonly NodeChange[], added: readonly Addition[] = []): Json {
  const inside = changes.filter(({ node }) => root.encloses(node));
  const values = new Map(inside.toReversed().map((change) => [change.node.at, change]));
  const starts = [...inside.map(({ node }) => node.start), ...added.map(({ holder }) => holder.start)];
  starts.sort((a, b) => a - b);
  let next = 0; // values are asked in their order, so a list may have as many changes as elements
  const changed = (node: JsonNode): Json | undefined => {
    while (starts[next]! < node.start) next++;
    if (!(starts[next]! < node.end)) return node;
    const own = values.get(node.at);
    if (own !== undefined) return own.value;
    if (node.isArray) return patchEach(node, changed);
    const members = node.members().map(({ key, value }) => [key.text, changed(value)] as const);
    const more = added.flatMap(({ holder, key, value }) => (holder.is(node) ? [[key, value] as const] : []));
    return patch(node, Object.fromEntries([...members, ...more]));
  };
  return changed(root)!;
}
