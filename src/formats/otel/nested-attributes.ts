/** Nested values by dotted names: `{"message": {"role": "user"}}` holds `message.role`. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { ElementEdit } from './attributes.js';

/** Names whose value is a text or any JSON, never further attributes. */
const LEAF = /(?:^|\.)(?:content|arguments|text|json_schema)$/;

/** Deeper values are not flattened. */
const DEEPEST_NAME = 50;

/** The values inside an element, by dotted names. */
export function flatten(
  node: JsonNode,
  path = '',
  leaves = new Map<string, JsonNode>(),
  level = 0,
): Map<string, JsonNode> {
  const isLeaf = level > DEEPEST_NAME || (!node.isObject && !node.isArray) || LEAF.test(path);
  if (isLeaf) {
    if (!node.isNull) leaves.set(path, node);
    return leaves;
  }
  for (const [key, value] of entriesOf(node)) flatten(value, path === '' ? key : `${path}.${key}`, leaves, level + 1);
  return leaves;
}

function entriesOf(node: JsonNode): (readonly [key: string, value: JsonNode])[] {
  return node.isArray
    ? node.items().map((value, index) => [`${index}`, value] as const)
    : node.members().map(({ key, value }) => [key.text, value] as const);
}

/** A nested list with other elements. */
export function renumberNestedList(list: JsonNode, elements: readonly ElementEdit[]): Json {
  const items = list.items();
  const isDotted = items.some((item) => item.members().some(({ key }) => key.text.includes('.')));
  return patchItems(
    list,
    elements.map(({ from, changes }) =>
      from === undefined ? unflatten(changes, isDotted) : withChanges(items[from]!, changes),
    ),
  );
}

/** A value with new values at dotted names inside it. */
function withChanges(node: JsonNode, changes: ReadonlyMap<string, Json | undefined>): Json {
  if (changes.size === 0) return node;
  const own = changes.get('');
  if (own !== undefined) return own;
  const entries = entriesOf(node);
  const rest = new Map(changes);
  const written = entries.flatMap(([key, value]): [string, Json | undefined][] => {
    const below = new Map<string, Json | undefined>();
    for (const [path, change] of changes) {
      if (path !== key && !path.startsWith(`${key}.`)) continue;
      below.set(path === key ? '' : path.slice(key.length + 1), change);
      rest.delete(path);
    }
    if (below.size === 0) return [[key, value]];
    const isRemoved =
      [...below.values()].every((change) => change === undefined) &&
      [...flatten(value).keys()].every((path) => below.has(path));
    return [[key, isRemoved ? undefined : withChanges(value, below)]];
  });
  const added = [...rest].filter(([, value]) => value !== undefined);
  if (node.isArray) return patchItems(node, [...written.flatMap(([, value]) => value ?? []), ...newElements(added)]);
  const isDotted = entries.some(([key]) => key.includes('.'));
  return patch(node, { ...Object.fromEntries(written), ...(unflatten(new Map(added), isDotted) as JsonFields) });
}

type Entry = readonly [name: string, value: Json | undefined];

/** New elements of an array, out of values whose dotted names begin with the element's number. */
function newElements(added: readonly Entry[]): Json[] {
  return [...byFirstName(added).values()].map((element) => unflatten(element, false));
}

/** Values by dotted names as nested objects and arrays; with `isDotted`, as one object. */
function unflatten(values: ReadonlyMap<string, Json | undefined>, isDotted: boolean): Json {
  const present = [...values].filter(([, value]) => value !== undefined);
  if (isDotted || values.size === 0) return Object.fromEntries(present);
  if (values.has('')) return values.get('')!;
  const byName = byFirstName(present);
  const names = [...byName.keys()];
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name)))
    return names.map((name) => unflatten(byName.get(name)!, false));
  return Object.fromEntries(names.map((name) => [name, unflatten(byName.get(name)!, false)]));
}

/** Values grouped by the first name of their dotted names, each under the rest of its name. */
function byFirstName(values: readonly Entry[]): Map<string, Map<string, Json | undefined>> {
  const groups = new Map<string, Map<string, Json | undefined>>();
  for (const [path, value] of values) {
    const [first, ...rest] = path.split('.');
    groups.set(first!, (groups.get(first!) ?? new Map()).set(rest.join('.'), value));
  }
  return groups;
}
