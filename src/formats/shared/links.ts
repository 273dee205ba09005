/** Logs whose lines name their parents: links around what went, and whole records for what came. */
import { amend, type Json, type JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { adjacentNode } from './adjacent-record.js';
import { derivedId } from './derived-ids.js';
import { type MapValue, mapDeep, REMOVED } from './map-values.js';

/** The members that hold a line's id and the id of its parent. A line without the second is no link of the chain. */
export interface Link {
  readonly id: string;
  readonly parent: string;
  /** How many characters an id has, where it is no whole UUID. */
  readonly idLength?: number;
  /** Other members that name the end of the chain: what is added behind that is the end now. */
  readonly endPointers?: readonly string[];
  /** Members that name the first line of a stretch that ends at their own line: where it went, the next one is the first. */
  readonly startPointers?: readonly string[];
  /** What stands in the place of a pointer to nothing; null, where it is not said. */
  readonly nullPointer?: string;
  /** Members in which nothing points to lines. */
  readonly contentKeys: readonly string[];
}

/**
 * The rows with whole links. A line whose parent went points to its nearest ancestor that stayed, and so does whatever else points
 * to a line. A line that was added gets the fields that the line before it has (`shared`, its timestamp), an id made of its content
 * and place, and stands between that line and the lines that followed it. Without links among the lines, what is added gets none.
 */
export function relink(
  rows: readonly Row[],
  before: readonly JsonNode[],
  link: Link,
  shared: readonly string[],
): readonly Json[] {
  const parentOf = new Map(
    before.flatMap((node) =>
      idOf(node, link) === undefined ? [] : [[idOf(node, link)!, node.get(link.parent)?.string] as const],
    ),
  );
  const kept = new Set(rows.flatMap(({ node }) => (node === undefined ? [] : (idOf(node, link) ?? []))));
  const standsFor = new Map<string, string>(); // the id of a line, and that of the last line that was added behind it
  const first = rows.find(({ node }) => node !== undefined && idOf(node, link) !== undefined)?.node;
  const isLinked = parentOf.size > 0 || !before.some((node) => node.isObject);
  let previous: JsonNode | undefined = first;
  let neighbour = previous ?? rows.find(({ node }) => node !== undefined)?.node ?? before[0];
  const came = rows.map(({ node, message, json }) => {
    if (node === undefined) {
      const near = adjacentNode(message);
      if (near !== undefined) previous = neighbour = near;
      const last = previous === undefined ? undefined : idOf(previous, link);
      const behind = last === undefined ? undefined : keptAncestor(last, kept, parentOf);
      const parent = behind === undefined ? undefined : (standsFor.get(behind) ?? behind);
      const id = derivedId(parent ?? '', json).slice(0, link.idLength);
      if (behind !== undefined) standsFor.set(behind, id);
      return added(
        json as JsonFields,
        neighbour,
        isLinked ? { [link.parent]: parent ?? null, [link.id]: id } : {},
        shared,
      );
    }
    if (!isLinked) neighbour = node;
    if (idOf(node, link) !== undefined) [previous, neighbour] = [node, node];
    return json;
  });
  const linked = rows.map(({ node }, index) => {
    const json = came[index]!;
    const parent = node?.get(link.parent)?.string;
    if (node === undefined || parent === undefined) return json;
    const ancestor = keptAncestor(parent, kept, parentOf);
    const to = ancestor === undefined ? null : (standsFor.get(ancestor) ?? ancestor);
    return to === parent ? json : amend(node, json, { [link.parent]: to });
  });
  if (kept.size === parentOf.size && standsFor.size === 0) return linked;
  const isGone = (id: string) => parentOf.has(id) && !kept.has(id);
  return linked.map((json, index) => {
    const { node } = rows[index]!;
    if (node === undefined || !node.isObject) return json;
    const pointTo = (id: string, key: string): string | undefined => {
      if (isGone(id) && link.startPointers?.includes(key))
        return firstKept(id, node.get(link.parent)?.string, kept, parentOf) ?? idOf(node, link);
      const target = isGone(id) ? keptAncestor(id, kept, parentOf) : id;
      return target !== undefined && link.endPointers?.includes(key) ? (standsFor.get(target) ?? target) : target;
    };
    const fields = node
      .members()
      .flatMap(({ key, value }) =>
        key.text === link.id || key.text === link.parent || link.contentKeys.includes(key.text)
          ? []
          : [[key.text, repoint(value, key.text, pointTo, link)] as const],
      );
    return amend(node, json, Object.fromEntries(fields));
  });
}

/** A value in which every string that names a line which went names another. */
function repoint(
  value: JsonNode,
  key: string,
  pointTo: (id: string, key: string) => string | undefined,
  link: Link,
): Json {
  const fateOf: MapValue = (node, member, isItem) => {
    if (!node.isString) return undefined;
    const target = node.byteLength > LONGEST_ID ? node.text : pointTo(node.text, member);
    if (target === node.text) return node;
    return isItem ? REMOVED : (target ?? link.nullPointer ?? null);
  };
  return mapDeep(value, fateOf, key) as Json;
}

const LONGEST_ID = 64;

/** The nearest ancestor that stayed, or that the log never held; undefined where the chain ends, or runs in a circle. */
function keptAncestor(
  parent: string,
  kept: ReadonlySet<string>,
  parentOf: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const passed = new Set<string>();
  let ancestor: string | undefined = parent;
  while (ancestor !== undefined && !kept.has(ancestor) && parentOf.has(ancestor)) {
    if (passed.has(ancestor)) return undefined;
    passed.add(ancestor);
    ancestor = parentOf.get(ancestor);
  }
  return ancestor;
}

/** On the way from `id` down to `end`, the first line that stayed. */
function firstKept(
  id: string,
  end: string | undefined,
  kept: ReadonlySet<string>,
  parentOf: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const passed = new Set<string>();
  let found: string | undefined;
  for (let at = end; at !== undefined && at !== id && !passed.has(at); at = parentOf.get(at)) {
    passed.add(at);
    if (kept.has(at)) found = at;
  }
  return found;
}

function idOf(node: JsonNode, { id, parent }: Link): string | undefined {
  return node.get(parent) === undefined ? undefined : node.get(id)?.string;
}

/** In the order in which the line beside it has its members. */
function added(fields: JsonFields, neighbour: JsonNode | undefined, ids: JsonFields, shared: readonly string[]): Json {
  const all: JsonFields = {
    ...Object.fromEntries(shared.map((key) => [key, neighbour?.get(key)])),
    ...fields,
    ...ids,
    timestamp: neighbour?.get('timestamp'),
  };
  const order = neighbour?.members().flatMap(({ key }) => (Object.hasOwn(all, key.text) ? [key.text] : [])) ?? [];
  return Object.fromEntries([...new Set([...order, ...Object.keys(all)])].map((key) => [key, all[key]]));
}
