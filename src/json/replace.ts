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
 * several changes of a node wins. The value itself is not removed.
 */
export function replaceWithin(root: JsonNode, changes: readonly NodeChange[], added: readonly Addition[] = []): Json {
  const inside = changes.filter(({ node }) => root.encloses(node));
  const values = new Map(inside.toReversed().map((change) => [change.node.at, change]));
  const places = [...inside.map(({ node }) => node), ...added.map(({ holder }) => holder)];
  const hasAny = root.source.isPlain ? (node: JsonNode) => places.some((one) => node.encloses(one)) : inOrder(places);
  const changed = (node: JsonNode): Json | undefined => {
    if (!hasAny(node)) return node;
    const own = values.get(node.at);
    if (own !== undefined) return own.value;
    if (node.isArray) return patchEach(node, changed);
    const members = node.members().map(({ key, value }) => [key.text, changed(value)] as const);
    const more = added.flatMap(({ holder, key, value }) => (holder.is(node) ? [[key, value] as const] : []));
    return patch(node, Object.fromEntries([...members, ...more]));
  };
  const after = changed(root);
  return after === undefined ? root : after;
}

/** Whether a node holds any of these. It is asked of nodes in their order: a list may change in all its elements. */
function inOrder(places: readonly JsonNode[]): (node: JsonNode) => boolean {
  const starts = places.map(({ start }) => start).sort((a, b) => a - b);
  let next = 0;
  return ({ start, end }) => {
    while (starts[next]! < start) next++;
    return starts[next]! < end;
  };
}
