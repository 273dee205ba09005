/**
 * The attributes of a span. Their names are dotted paths (`llm.input_messages.0.message.role`), and stand as keys of one object, as
 * objects and arrays inside each other, or as OTLP's list of `{key, value: {stringValue}}`. Lists of messages are numbered from 0 in all
 * of them. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { objectsIn } from '../shared/json-fields.js';
import { pathTo, wrongTypeInRecord } from '../shared/node-path.js';

/** An element of a numbered list: its values by what follows the number. */
export type Numbered = ReadonlyMap<string, JsonNode>;

/** An element of a list as it is to be written: which one it was, and what of it is new (undefined goes). */
export interface Renumbered {
  readonly from: number | undefined;
  readonly changes: ReadonlyMap<string, Json | undefined>;
}

/** What is to be written in the place of attributes. */
export interface Edits {
  readonly values: Map<string, Json>;
  readonly lists: Map<string, readonly Renumbered[]>;
}

/** The attributes of a span, whichever way they are written. */
export interface Attributes {
  get(key: string): JsonNode | undefined;
  list(prefix: string): readonly Numbered[];
  /** The attributes with edits; `others` writes those that no edit names. */
  write(edits: Edits, others: (key: string, value: JsonNode) => Json): Json;
}

// --- as an object

/** Of a table of spans the columns with this prefix are attributes. */
export function objectAttributes(node: JsonNode, prefix = ''): Attributes {
  const members = node.members().filter(({ key }) => key.text.startsWith(prefix));
  const direct = new Map(members.map(({ key, value }) => [key.text.slice(prefix.length), value]));
  return {
    get: (key) => direct.get(key) ?? within(node, key.split('.')),
    list(name) {
      const nestedList = nestedListIn(node, direct, name);
      return nestedList === undefined
        ? numberedIn(direct.keys(), name, (key) => direct.get(key))
        : nestedList.items().map((item) => leavesOf(item));
    },
    write(edits, others) {
      const fields = new Map<string, Json | undefined>();
      const nestedEdits = new Map<JsonNode, Json>(); // by the node that is replaced, wherever it stands
      for (const [name, elements] of edits.lists) {
        const list = nestedListIn(node, direct, name);
        if (list !== undefined) nestedEdits.set(list, renumberNested(list, elements));
        else
          for (const [key, value] of renumbered([...direct.keys()], name, elements, (one) => direct.get(one)))
            fields.set(prefix + key, value);
      }
      for (const [key, value] of edits.values) {
        if (direct.has(key)) fields.set(prefix + key, value);
        else nestedEdits.set(within(node, key.split('.'))!, value);
      }
      const flat = new Set(edits.lists.size === 0 ? [] : [...edits.lists.keys()]);
      for (const { key, value } of node.members()) {
        const name = key.text.startsWith(prefix) ? key.text.slice(prefix.length) : key.text;
        if (fields.has(key.text) || [...flat].some((list) => name.startsWith(`${list}.`))) continue;
        fields.set(key.text, inside(value, name, nestedEdits, others));
      }
      return patch(node, Object.fromEntries(fields));
    },
  };
}

/** A value with the edits that stand in it; what no edit is in is another attribute. */
function inside(
  node: JsonNode,
  path: string,
  edits: ReadonlyMap<JsonNode, Json>,
  others: (key: string, value: JsonNode) => Json,
): Json {
  for (const [old, value] of edits) if (old.is(node)) return value;
  const holds = [...edits.keys()].some(
    (old) => old.source === node.source && old.start > node.start && old.end <= node.end,
  );
  if (!holds) return others(path, node);
  const fields: JsonFields = Object.fromEntries(
    node.members().map(({ key, value }) => [key.text, inside(value, `${path}.${key.text}`, edits, others)]),
  );
  return patch(node, fields);
}

function within(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
}

function nestedListIn(node: JsonNode, direct: ReadonlyMap<string, JsonNode>, name: string): JsonNode | undefined {
  const list = direct.get(name) ?? within(node, name.split('.'));
  return list?.isArray ? list : undefined;
}

/** Names that hold a text or a value, never further names. */
const LEAF = /(?:^|\.)(?:content|arguments|text|json_schema)$/;

/** So many names are there in a dotted one, at most. */
const DEEPEST_NAME = 50;

/** The values inside of an element, by dotted names. */
function leavesOf(node: JsonNode, path = '', leaves = new Map<string, JsonNode>(), level = 0): Map<string, JsonNode> {
  const isLeaf =
    level > DEEPEST_NAME ||
    (!node.isObject && !node.isArray) ||
    (LEAF.test(path) && !(node.isArray && path.endsWith('contents')));
  if (isLeaf) {
    if (!node.isNull) leaves.set(path, node);
    return leaves;
  }
  const entries = node.isArray
    ? node.items().map((value, index) => [`${index}`, value] as const)
    : node.members().map(({ key, value }) => [key.text, value] as const);
  for (const [key, value] of entries) leavesOf(value, path === '' ? key : `${path}.${key}`, leaves, level + 1);
  return leaves;
}

function renumberNested(list: JsonNode, elements: readonly Renumbered[]): Json {
  const items = list.items();
  const isDotted = items.some((item) => item.members().some(({ key }) => key.text.includes('.')));
  return patchItems(
    list,
    elements.map(({ from, changes }) =>
      from === undefined ? unflattened(changes, isDotted) : changed(items[from]!, changes),
    ),
  );
}

/** A value with new values at dotted names inside of it. */
function changed(node: JsonNode, changes: ReadonlyMap<string, Json | undefined>): Json {
  if (changes.size === 0) return node;
  const own = changes.get('');
  if (own !== undefined) return own;
  const entries = node.isArray
    ? node.items().map((value, index) => [`${index}`, value] as const)
    : node.members().map(({ key, value }) => [key.text, value] as const);
  const rest = new Map(changes);
  const written = entries.flatMap(([key, value]): [string, Json | undefined][] => {
    const below = new Map<string, Json | undefined>();
    for (const [path, change] of changes) {
      if (path !== key && !path.startsWith(`${key}.`)) continue;
      below.set(path === key ? '' : path.slice(key.length + 1), change);
      rest.delete(path);
    }
    if (below.size === 0) return [[key, value]];
    const isGone =
      [...below.values()].every((change) => change === undefined) &&
      [...leavesOf(value).keys()].every((path) => below.has(path));
    return [[key, isGone ? undefined : changed(value, below)]];
  });
  const added = [...rest].filter(([, value]) => value !== undefined);
  if (node.isArray) return patchItems(node, [...written.flatMap(([, value]) => value ?? []), ...elementsOf(added)]);
  const isDotted = entries.some(([key]) => key.includes('.'));
  return patch(node, { ...Object.fromEntries(written), ...(unflattened(new Map(added), isDotted) as JsonFields) });
}

/** New elements of an array: what follows their number. */
function elementsOf(added: readonly (readonly [string, Json | undefined])[]): Json[] {
  const byNumber = new Map<string, Map<string, Json | undefined>>();
  for (const [path, value] of added) {
    const [number, ...rest] = path.split('.');
    byNumber.set(number!, (byNumber.get(number!) ?? new Map()).set(rest.join('.'), value));
  }
  return [...byNumber.values()].map((element) => unflattened(element, false));
}

/** Dotted names as objects and arrays inside each other, or as they are. */
function unflattened(leaves: ReadonlyMap<string, Json | undefined>, isDotted: boolean): Json {
  if (isDotted || leaves.size === 0) return Object.fromEntries([...leaves].filter(([, value]) => value !== undefined));
  if (leaves.has('')) return leaves.get('')!;
  const byKey = new Map<string, Map<string, Json | undefined>>();
  for (const [path, value] of leaves) {
    if (value === undefined) continue;
    const [key, ...rest] = path.split('.');
    byKey.set(key!, (byKey.get(key!) ?? new Map()).set(rest.join('.'), value));
  }
  const keys = [...byKey.keys()];
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key)))
    return keys.map((key) => unflattened(byKey.get(key)!, false));
  return Object.fromEntries(keys.map((key) => [key, unflattened(byKey.get(key)!, false)]));
}

// --- numbered keys

type Get = (key: string) => JsonNode | undefined;

function numberedIn(keys: Iterable<string>, name: string, get: Get): Numbered[] {
  const found: Map<string, JsonNode>[] = [];
  for (const key of keys) {
    const match = numberIn(key, name);
    const value = match && get(key);
    if (value === undefined) continue;
    const [index, suffix] = match!;
    found[index] ??= new Map();
    found[index].set(suffix, value);
  }
  return Object.values(found); // numbers may leave gaps
}

function numberIn(key: string, name: string): [number: number, suffix: string] | undefined {
  const match = key.startsWith(`${name}.`) ? /^(\d+)\.(.+)$/.exec(key.slice(name.length + 1)) : null;
  return match === null ? undefined : [Number(match[1]), match[2]!];
}

/** The keys of a list with its elements numbered anew, without gaps; undefined for those that went. */
function renumbered(
  names: readonly string[],
  name: string,
  elements: readonly Renumbered[],
  get: Get,
): Map<string, Json | undefined> {
  const old = numberedIn(names, name, get);
  const keys = new Map<string, Json | undefined>();
  for (const key of names) if (numberIn(key, name) !== undefined) keys.set(key, undefined);
  elements.forEach(({ from, changes }, index) => {
    if (from !== undefined)
      for (const [suffix, value] of old[from]!) if (!changes.has(suffix)) keys.set(`${name}.${index}.${suffix}`, value);
    for (const [suffix, value] of changes) if (value !== undefined) keys.set(`${name}.${index}.${suffix}`, value);
  });
  return keys;
}

// --- as OTLP's list

/** Attributes as OTLP lists them: `[{key, value: {stringValue}}]`. */
export function listedAttributes(node: JsonNode | undefined): Attributes {
  const items = node?.items() ?? [];
  const values = new Map(
    items.flatMap((item) => (item.get('key')?.isString ? [[item.get('key')!.text, item.get('value')] as const] : [])),
  );
  const plain = new Map<string, JsonNode | undefined>(); // of those that were asked for
  const get: Get = (key) => {
    if (!plain.has(key)) plain.set(key, plainOf(values.get(key)));
    return plain.get(key);
  };
  return {
    get,
    list: (name) => numberedIn(values.keys(), name, get),
    write(edits, others) {
      const keys = new Map<string, Json | undefined>(edits.values);
      for (const [name, elements] of edits.lists)
        for (const [key, value] of renumbered([...values.keys()], name, elements, get)) keys.set(key, value);
      const written = items.flatMap((item): Json[] => {
        const key = item.get('key')?.text ?? '';
        const value = item.get('value');
        if (!keys.has(key))
          return [
            value?.get('stringValue') === undefined
              ? item
              : patch(item, { value: patch(value, { stringValue: others(key, value.get('stringValue')!) }) }),
          ];
        const now = keys.get(key);
        keys.delete(key);
        return now === undefined ? [] : [patch(item, { value: anyValue(now, value) })];
      });
      const added = [...keys].flatMap(([key, value]) =>
        value === undefined ? [] : [{ key, value: anyValue(value, undefined) }],
      );
      return node === undefined ? [...written, ...added] : patchItems(node, [...written, ...added]);
    },
  };
}

/** A value of OTLP as JSON: a number in a string is a number, a list or an object is one. */
function plainOf(value: JsonNode | undefined): JsonNode | undefined {
  const held = value?.members().find(({ key }) => key.text.endsWith('Value'));
  if (held === undefined) return undefined;
  if (held.key.text === 'intValue' && held.value.isString)
    return parse(/^-?\d+$/.test(held.value.text) ? held.value.text : 'null');
  return held.key.text === 'arrayValue' || held.key.text === 'kvlistValue' ? parse(unwrapped(value!)) : held.value;
}

/** The JSON that a value stands for. Throws where it is not one. */
function unwrapped(value: JsonNode, level = 0): string {
  if (!value.isObject) return wrongTypeInRecord(value, 'an object such as {"stringValue": …}');
  if (level > DEEPEST) return wrongTypeInRecord(value, `a value that is nested less than ${DEEPEST} times`);
  const list = (key: string) => {
    const values = value.get(key)!.get('values');
    return objectsIn(values, values === undefined ? '' : pathTo(values));
  };
  if (value.get('arrayValue') !== undefined) return `[${list('arrayValue').map((item) => unwrapped(item, level + 1))}]`;
  if (value.get('kvlistValue') !== undefined)
    return `{${list('kvlistValue').map((entry) => {
      const [key, inner] = [entry.get('key'), entry.get('value')];
      return `${JSON.stringify(key?.string ?? '')}:${inner === undefined ? 'null' : unwrapped(inner, level + 1)}`;
    })}}`;
  const int = value.get('intValue');
  if (int !== undefined) return /^-?(?:0|[1-9]\d*)$/.test(int.text) ? int.text : 'null';
  const [first] = value.members();
  return first === undefined ? 'null' : printed(first.value);
}

/** So deep are values that somebody recorded on purpose. */
const DEEPEST = 500;

type AnyValue = { readonly [kind: string]: unknown };

/** A value in OTLP's wrapping: of the kind that the old one is. */
function anyValue(now: Json, old: JsonNode | undefined): Json {
  if (now instanceof JsonNode && old !== undefined && plainOf(old)?.is(now)) return old;
  if (
    old !== undefined &&
    old.get('arrayValue') === undefined &&
    old.get('kvlistValue') === undefined &&
    (typeof now === 'string' || (now instanceof JsonNode && now.isString))
  )
    return patch(old, { stringValue: now });
  return wrapped(JSON.parse(printed(now))) as Json;
}

function wrapped(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wrapped) } };
  return value === null
    ? {}
    : {
        kvlistValue: { values: Object.entries(value as object).map(([key, item]) => ({ key, value: wrapped(item) })) },
      };
}
