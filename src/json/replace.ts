/** Edits values deep inside of another value. */
import { type Json, patch, patchItems } from './edit.js';
import type { JsonNode } from './node.js';
import type { Replacement } from './print.js';

/** A member that is added to an object, or gets another value; undefined removes it. */
export interface Addition {
  readonly holder: JsonNode;
  readonly key: string;
  readonly value: Json | undefined;
}

/** The value with some of its descendants replaced, and with members added to some; itself where there are none. */
export function replaceWithin(
  node: JsonNode,
  replacements: readonly Replacement[],
  additions: readonly Addition[] = [],
): Json {
  if (replacements.length === 0 && additions.length === 0) return node;
  const own = replacements.find((replacement) => replacement.node.is(node));
  if (own !== undefined) return own.value;
  const replaced = replacements.filter((one) => node.encloses(one.node));
  const added = additions.filter((one) => node.encloses(one.holder));
  if (replaced.length === 0 && added.length === 0) return node;
  if (node.isArray)
    return patchItems(
      node,
      node.items().map((item) => replaceWithin(item, replaced, added)),
    );
  const members = node.members().map(({ key, value }) => [key.text, replaceWithin(value, replaced, added)] as const);
  const newMembers = added.flatMap(({ holder, key, value }) => (holder.is(node) ? [[key, value] as const] : []));
  return patch(node, Object.fromEntries([...members, ...newMembers]));
}

/** The innermost object around a descendant of `node`. */
export function holderOf(node: JsonNode, descendant: JsonNode): JsonNode {
  const children = node.isObject ? node.members().map(({ value }) => value) : node.items();
  const around = children.find((child) => child.encloses(descendant) && !child.is(descendant));
  const deeper = around === undefined ? undefined : holderOf(around, descendant);
  return deeper?.isObject ? deeper : node;
}
