/** Tool definitions, edited in the format of any provider. */
import { EditedText, type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import type { LazyText, ToolChange, ToolChanges } from '../../transcript/types.js';
import { tryParse } from './json-fields.js';
import { functionsKey, SCHEMAS, WRAPPERS } from './tool-members.js';

/** Applies changes to definitions in their own format. Returns the same value if nothing changes. */
export function redefine(tools: LazyText, changes: ToolChanges): LazyText {
  const base = tools instanceof EditedText ? tools.base : tools;
  if (!(base instanceof JsonNode)) return tools;
  const root = tools === base ? base : tryParse(tools.text);
  const isText = root?.isString === true;
  const node = isText ? tryParse(root.text) : root;
  if (node === undefined) return tools;
  const edited = redefineAll(node, changes);
  if (edited === node) return tools;
  const text = printed(edited, () => styleOf(node));
  return new EditedText(base, isText ? text : edited, isText ? JSON.stringify(text) : text);
}

function redefineAll(node: JsonNode, changes: ToolChanges): Json {
  const list = node.isArray ? node : node.get('tools');
  if (!list?.isArray) return node;
  const edited = patchEach(list, (entry) => mapDeclared(entry, (one) => redefineOne(one, changes)));
  return list === node ? edited : patch(node, { tools: edited });
}

function mapDeclared(entry: JsonNode, change: (one: JsonNode) => Json): Json {
  const key = functionsKey(entry);
  return key === undefined ? change(entry) : patch(entry, { [key]: patchEach(entry.get(key)!, change) });
}

function redefineOne(entry: JsonNode, changes: ToolChanges): Json {
  return patchNamed(entry, WRAPPERS, (name, inner) =>
    Object.hasOwn(changes, name) ? changedFields(inner, changes[name]!) : {},
  );
}

/** An element of a list of tools with other names. */
export function renameTools(entry: JsonNode, names: ReadonlyMap<string, string>): Json {
  return mapDeclared(entry, (one) =>
    patchNamed(one, [...WRAPPERS, 'custom'], (name) => ({ name: names.get(name) ?? name })),
  );
}

/** Changes members of what has the name of a tool. */
function patchNamed(
  entry: JsonNode,
  wrappers: readonly string[],
  change: (name: string, inner: JsonNode) => JsonFields,
): Json {
  const key = wrappers.find((name) => entry.get(name)?.isObject);
  const inner = key === undefined ? entry : entry.get(key)!;
  const name = inner.get('name')?.string;
  if (name === undefined) return entry;
  const edited = patch(inner, change(name, inner));
  return key === undefined ? edited : patch(entry, { [key]: edited });
}

function changedFields(inner: JsonNode, { description, parameters = {} }: ToolChange): JsonFields {
  const fields: { [key: string]: Json } = description === undefined ? {} : { description };
  const key = SCHEMAS.find((name) => inner.get(name)?.isObject);
  if (key === undefined) return fields;
  const holder = inner.get(key)!;
  const schema = holder.get('json') ?? holder; // Bedrock's
  const old = schema.get('properties');
  const changed = Object.entries(parameters).filter(
    ([name, value]) => old?.get(name) === undefined || !isSame(old.get(name)!.toJSON(), value),
  ) as [string, Json][];
  if (changed.length === 0) return fields;
  const properties = old === undefined ? Object.fromEntries(changed) : patch(old, Object.fromEntries(changed));
  const edited = patch(schema, { properties });
  return { ...fields, [key]: schema === holder ? edited : patch(holder, { json: edited }) };
}

/** Whether two JSON values are equal, in any order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
