/** Logs whose lines link to parents: repairs links around removed lines, and completes added lines. */
import { amend, type Json, type JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { adjacentNode } from './adjacent-record.js';
import { derivedId } from './derived-ids.js';
import { type MapValue, mapDeep, REMOVED } from './map-values.js';

/** How the lines of a log link to each other. */
export interface Link {
  /** The key of a line's id. */
  readonly id: string;
  /** The key of the parent's id. A line without this key is not part of the chain. */
  readonly parent: string;
  /** The length of an id, if it is not a full UUID. */
  readonly idLength?: number;
  /** Keys that point to the end of the chain: a line added after it becomes the new end. */
  readonly endPointers?: readonly string[];
  /** Keys that point to the first line of a range ending at their own line: if removed, the next kept line is first. */
  readonly startPointers?: readonly string[];
  /** Replaces a pointer without target. Default: null. */
  readonly nullPointer?: string;
  /** Keys whose values never point to lines. */
  readonly contentKeys: readonly string[];
  /** Whether the first line of a line's agent names it: lines added before it are linked behind it. */
  isNamedByFirst?(node: JsonNode): boolean;
  /** The lines of abandoned branches: they stay where they hang. */
  readonly abandonedIn?: ((before: readonly JsonNode[]) => ReadonlySet<JsonNode>) | undefined;
}

/**
 * Repairs the links of edited rows. Pointers to a removed line move to its nearest kept ancestor. An added line copies
 * the `shared` fields and the timestamp of the line before it, gets an id derived from content and place, and is linked
 * in between, as is a moved line. If the original messages had no ids, added lines get none.
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
  const idsOf = (some: readonly Row[]) => new Set(some.flatMap(({ node }) => (node && idOf(node, link)) ?? []));
  const present = idsOf(rows);
  const chain: Chain = {
    link,
    parentOf,
    present,
    inPlace: rows.some(isMoved) ? idsOf(rows.filter((row) => !isMoved(row))) : present,
    abandoned: link.abandonedIn?.(before) ?? new Set(),
    tailOf: new Map(),
    headOf: new Map(),
  };
  const linked = withParents(rows, withAddedLines(rows, before, chain, shared), chain);
  return present.size === parentOf.size && chain.tailOf.size === 0 ? linked : withPointers(rows, linked, chain);
}

/** The links among the lines of a log. */
interface Chain {
  readonly link: Link;
  /** From a line's id to that of its parent, as the log had it. */
  readonly parentOf: ReadonlyMap<string, string | undefined>;
  /** The ids of the lines that were not removed. */
  readonly present: ReadonlySet<string>;
  /** The ids of the lines that were neither removed nor moved. */
  readonly inPlace: ReadonlySet<string>;
  readonly abandoned: ReadonlySet<JsonNode>;
  /** From a line's id to that of the last line added or moved behind it. */
  readonly tailOf: Map<string, string>;
  /** From the id of the first line to that of the last line added or moved before it. */
  readonly headOf: Map<string, string>;
}

function isMoved({ node, message }: Row): boolean {
  return node !== undefined && adjacentNode(message) !== undefined;
}

/** Completes the added lines, and links them and the moved ones in. */
function withAddedLines(
  rows: readonly Row[],
  before: readonly JsonNode[],
  chain: Chain,
  shared: readonly string[],
): readonly Json[] {
  const { link, parentOf, tailOf } = chain;
  const isLinked = parentOf.size > 0 || !before.some((node) => node.isObject);
  const isSpoken = ({ node, message }: Row) => node !== undefined && message.role !== 'meta';
  const hasIds = isLinked || rows.some((row) => isSpoken(row) && row.node!.get(link.id) !== undefined);
  const stays = new Set(rows.flatMap((row) => (row.node === undefined || isMoved(row) ? [] : row.node)));
  const passed = new Set<JsonNode>();
  const isLast = (near: JsonNode) => passed.has(near) || !stays.has(near);
  const isBehind = (near: JsonNode) => isLast(near) || link.isNamedByFirst?.(near) === true;
  let previous = rows.find(({ node }) => node !== undefined && idOf(node, link) !== undefined)?.node;
  let adjacent = previous ?? (rows.find(isSpoken) ?? rows.find(({ node }) => node !== undefined))?.node ?? before[0];
  return rows.map((row) => {
    const { node, message, json } = row;
    if (node !== undefined && !isMoved(row)) {
      passed.add(node);
      if (!isLinked && isSpoken(row)) adjacent = node;
      if (idOf(node, link) !== undefined) [previous, adjacent] = [node, node];
      return json;
    }
    const near = adjacentNode(message);
    if (node !== undefined) return movedLine(row, { near: near!, isBehind: isBehind(near!) }, chain);
    if (near !== undefined && (!isLinked || idOf(near, link) !== undefined)) previous = adjacent = near; // no header
    const isAlone = near === undefined; // the log has one agent, which its first line need not name
    const anchor =
      isLinked && previous ? { near: previous, isBehind: isAlone ? isLast(previous) : isBehind(previous) } : undefined;
    const last = isLinked ? undefined : adjacent?.get(link.id)?.string; // without links, the line before is the parent
    const parent = anchor === undefined ? last && (tailOf.get(last) ?? last) : parentFor(anchor, chain);
    let id = parent ?? '';
    do id = derivedId(id, json).slice(0, link.idLength);
    while (parentOf.has(id)); // an earlier run may have added the same at the same place
    if (anchor !== undefined) linkIn(id, anchor, chain);
    else if (last !== undefined) tailOf.set(last, id);
    const ids = hasIds ? { [link.parent]: parent ?? null, [link.id]: id } : {};
    return completed(json as JsonFields, adjacent, ids, shared);
  });
}

/** A line that keeps its place, and whether a line is linked in behind or before it. */
interface Anchor {
  readonly near: JsonNode;
  readonly isBehind: boolean;
}

function movedLine({ node, json }: Row, anchor: Anchor, chain: Chain): Json {
  const { link } = chain;
  const id = idOf(node!, link);
  if (id === undefined) return json;
  const parent = parentFor(anchor, chain);
  linkIn(id, anchor, chain);
  return amend(node!, json, { [link.parent]: parent ?? null });
}

/** The parent of the next line that is linked in there. */
function parentFor({ near, isBehind }: Anchor, chain: Chain): string | undefined {
  const id = idOf(near, chain.link);
  if (id === undefined) return undefined;
  if (!isBehind) return chain.headOf.get(id) ?? ancestorFor(chain.parentOf.get(id), chain);
  const ancestor = ancestorFor(id, chain);
  return ancestor === undefined ? undefined : (chain.tailOf.get(ancestor) ?? ancestor);
}

function linkIn(id: string, { near, isBehind }: Anchor, chain: Chain): void {
  const at = idOf(near, chain.link);
  const anchor = isBehind ? ancestorFor(at, chain) : at;
  if (anchor !== undefined) (isBehind ? chain.tailOf : chain.headOf).set(anchor, id);
}

function ancestorFor(id: string | undefined, chain: Chain): string | undefined {
  return keptAbove(id, chain.parentOf, chain.inPlace);
}

/**
 * Links each line to its nearest kept ancestor, or to the line added after that. Abandoned branches whose ancestors are
 * all gone hang on the first line, as they would else be a part of the way.
 */
function withParents(rows: readonly Row[], written: readonly Json[], chain: Chain): readonly Json[] {
  const { link, tailOf, headOf, abandoned } = chain;
  const isOnWay = ({ node }: Row) => node !== undefined && !abandoned.has(node) && idOf(node, link) !== undefined;
  const first = abandoned.size === 0 ? undefined : rows.find(isOnWay)?.node;
  return rows.map((row, index) => {
    const json = written[index]!;
    const { node } = row;
    if (node === undefined || isMoved(row)) return json;
    const id = idOf(node, link);
    const head = id === undefined ? undefined : headOf.get(id);
    const parent = node.get(link.parent)?.string;
    if (head === undefined && parent === undefined) return json;
    const ancestor = ancestorFor(parent, chain);
    const kept = abandoned.has(node) ? (ancestor ?? (first && idOf(first, link))) : ancestor;
    const tail = kept === undefined || abandoned.has(node) ? undefined : tailOf.get(kept);
    const to = head ?? tail ?? kept ?? null;
    return to === parent ? json : amend(node, json, { [link.parent]: to });
  });
}

/** Moves all other pointers to lines that were removed, or that have added lines after them. */
function withPointers(rows: readonly Row[], written: readonly Json[], chain: Chain): readonly Json[] {
  const { link, parentOf, present, tailOf, abandoned } = chain;
  const isRemoved = (id: string) => parentOf.has(id) && !present.has(id);
  return written.map((json, index) => {
    const { node } = rows[index]!;
    if (node === undefined || !node.isObject) return json;
    const pointTo = (id: string, key: string): string | undefined => {
      if (isRemoved(id) && link.startPointers?.includes(key))
        return firstKept(id, node.get(link.parent)?.string, chain) ?? idOf(node, link);
      const target = isRemoved(id) ? ancestorFor(id, chain) : id;
      const isEnd = link.endPointers?.includes(key) === true && !abandoned.has(node);
      return target !== undefined && isEnd ? (tailOf.get(target) ?? target) : target;
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

/** Moves all pointers in a value. */
function repoint(
  value: JsonNode,
  key: string,
  pointTo: (id: string, key: string) => string | undefined,
  link: Link,
): Json {
  const mapValue: MapValue = (node, member, isItem) => {
    if (!node.isString) return undefined;
    const target = node.byteLength > MAX_ID_BYTES ? node.text : pointTo(node.text, member);
    if (target === node.text) return node;
    return isItem ? REMOVED : (target ?? link.nullPointer ?? null);
  };
  return mapDeep(value, mapValue, key) as Json;
}

const MAX_ID_BYTES = 64;

/** The nearest one above, itself included, that is left; undefined if there is none, or the parents are circular. */
export function keptAbove(
  from: string | undefined,
  parentOf: ReadonlyMap<string, string | undefined>,
  kept: ReadonlySet<string>,
): string | undefined {
  const seen = new Set<string>();
  let id = from;
  while (id !== undefined && parentOf.has(id) && !kept.has(id)) {
    if (seen.has(id)) return undefined;
    seen.add(id);
    id = parentOf.get(id);
  }
  return id;
}

/** The first kept line on the way from `id` down to `end`. */
function firstKept(id: string, end: string | undefined, { present: kept, parentOf }: Chain): string | undefined {
  const visited = new Set<string>();
  let found: string | undefined;
  for (let at = end; at !== undefined && at !== id && !visited.has(at); at = parentOf.get(at)) {
    visited.add(at);
    if (kept.has(at)) found = at;
  }
  return found;
}

function idOf(node: JsonNode, { id, parent }: Link): string | undefined {
  return node.get(parent) === undefined ? undefined : node.get(id)?.string;
}

/** Completes an added line, with its keys in the order of the adjacent line. */
function completed(
  fields: JsonFields,
  adjacent: JsonNode | undefined,
  ids: JsonFields,
  shared: readonly string[],
): Json {
  const all: JsonFields = {
    ...Object.fromEntries(shared.map((key) => [key, adjacent?.get(key)])),
    ...fields,
    ...ids,
    timestamp: adjacent?.get('timestamp'),
  };
  const order = adjacent?.members().flatMap(({ key }) => (Object.hasOwn(all, key.text) ? [key.text] : [])) ?? [];
  return Object.fromEntries([...new Set([...order, ...Object.keys(all)])].map((key) => [key, all[key]]));
}
