/** The tree of a conversation in ChatGPT's export as lists, and edited lists back in the tree. */
import { type ArrayEdit, amend, type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import type { Envelope } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { branchesOf, type TreeNode } from '../shared/id-tree.js';
import { keptAbove } from '../shared/links.js';

export const treeEnvelope: Envelope = {
  open(record) {
    const branches = branchesIn(record);
    return branches.length === 0 ? undefined : branches.map(listOf);
  },
  holders: ['mapping', 'current_node'],
  close: (record, lists) => writeTree(record, lists),
  describe(_list, record, index) {
    if (index === 0) return {};
    const id = (record.get('conversation_id') ?? record.get('id'))?.string;
    const leaf = branchesIn(record)[index]!.at(-1)!.id;
    return { id: `${id ?? ''}/${leaf}` };
  },
};

function branchesIn(record: JsonNode): TreeNode[][] {
  const mapping = record.get('mapping');
  if (!mapping?.isObject) return [];
  const byId = new Map(mapping.members().map(({ key, value }) => [key.text, value] as const));
  if (![...byId.values()].every((node) => node.get('children')?.isArray)) return [];
  const leaves = [...byId].flatMap(([id, node]) => (childrenOf(node).length === 0 ? [id] : []));
  return branchesOf({ byId, parent: 'parent', leaves, current: record.get('current_node')?.string });
}

function childrenOf(node: JsonNode): string[] {
  return (node.get('children')?.items() ?? []).flatMap((child) => child.string ?? []);
}

function listOf(branch: readonly TreeNode[]): JsonNode {
  return parse(`[${branch.map(({ node }) => node.json).join(',')}]`);
}

// --- writing

/** A node of an edited list: with the node it was, if it is not new. */
interface Entry {
  readonly id: string;
  readonly json: Json;
  readonly was: TreeNode | undefined;
}

function writeTree(record: JsonNode, lists: readonly Json[]): Json {
  const branches = branchesIn(record);
  const after = branches.map((branch, index) => entriesOf(branch, lists[index]!));
  const kept = new Set(after.flat().map(({ id }) => id));
  const parents = parentsAfter(branches, after, kept);
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  const fields: JsonFields = Object.fromEntries([
    ...branches.flat().flatMap(({ id }) => (kept.has(id) ? [] : [[id, undefined] as const])),
    ...after.flat().map((entry) => {
      return [entry.id, nodeAfter(entry, parents.get(entry.id), children.get(entry.id) ?? [])] as const;
    }),
  ]);
  const [main] = after;
  return patch(record, { mapping: patch(record.get('mapping')!, fields), ...currentField(record, main!) });
}

function entriesOf(branch: readonly TreeNode[], list: Json): Entry[] {
  if (list instanceof JsonNode) return branch.map((was) => ({ id: was.id, json: was.node, was }));
  const { base, items } = list as ArrayEdit;
  const before = base.items();
  const index = new Map(before.map((item, at) => [item.at, branch[at]!]));
  const entries: Entry[] = [];
  for (const item of items) {
    const source = item instanceof JsonNode ? item : item instanceof ObjectEdit ? item.base : undefined;
    const was = source?.source === base.source ? index.get(source.at) : undefined;
    const place = `${entries.at(-1)?.id ?? branch[0]!.id} ${entries.length}`;
    entries.push({
      id: was?.id ?? derivedId(place, item),
      json: item instanceof JsonNode && was ? was.node : item,
      was,
    });
  }
  return entries;
}

/** The parent of each node: the one before it; of the first in a branch, the nearest one above that is left. */
function parentsAfter(
  branches: readonly (readonly TreeNode[])[],
  after: readonly (readonly Entry[])[],
  kept: ReadonlySet<string>,
): ReadonlyMap<string, string | undefined> {
  const above = new Map(branches.flat().map(({ id, node }) => [id, node.get('parent')?.string]));
  const parents = new Map<string, string | undefined>();
  after.forEach((entries, index) => {
    let parent = keptAbove(above.get(branches[index]![0]!.id), above, kept);
    for (const { id } of entries) {
      parents.set(id, parent);
      parent = id;
    }
  });
  return parents;
}

function nodeAfter({ id, json, was }: Entry, parent: string | undefined, children: readonly string[]): Json {
  if (was === undefined) {
    const message = { ...((json as JsonFields)['message'] as JsonFields), id };
    return { ...(json as JsonFields), id, message, parent: parent ?? null, children };
  }
  const old = childrenOf(was.node);
  const ordered = [...old.filter((child) => children.includes(child)), ...children.filter((one) => !old.includes(one))];
  const isSame = old.length === ordered.length && old.every((child, at) => child === ordered[at]);
  const fields: JsonFields = {
    ...(was.node.get('parent')?.string === parent ? {} : { parent: parent ?? null }),
    ...(isSame ? {} : { children: ordered }),
  };
  return json instanceof ObjectEdit ? amend(json.base, json, fields) : patch(was.node, fields);
}

function currentField(record: JsonNode, main: readonly Entry[]): JsonFields {
  const last = main.at(-1)?.id ?? null;
  return (record.get('current_node')?.string ?? null) === last || record.get('current_node') === undefined
    ? {}
    : { current_node: last };
}
