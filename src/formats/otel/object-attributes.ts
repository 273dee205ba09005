/** Attributes as members of an object: under dotted names, or nested. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Attributes } from './attributes.js';
import { flatten, renumberNestedList } from './nested-attributes.js';
import { numberedElements, renumberKeys } from './numbered-keys.js';

/** The members of an object as attributes. In a row of a table of spans, these are the columns with `prefix`. */
export function objectAttributes(node: JsonNode, prefix = ''): Attributes {
  const members = node.members().filter(({ key }) => key.text.startsWith(prefix));
  const direct = new Map(members.map(({ key, value }) => [key.text.slice(prefix.length), value]));
  return {
    get: (key) => direct.get(key) ?? valueAt(node, key.split('.')),
    list(name) {
      const nestedList = nestedListAt(node, direct, name);
      return nestedList === undefined
        ? numberedElements(direct.keys(), name, (key) => direct.get(key))
        : nestedList.items().map((item) => flatten(item));
    },
    write(edits, others) {
      const fields = new Map<string, Json | undefined>();
      const nestedEdits = new Map<JsonNode, Json | undefined>(); // by the node to replace
      for (const [name, elements] of edits.lists) {
        const list = nestedListAt(node, direct, name);
        if (list !== undefined) nestedEdits.set(list, renumberNestedList(list, elements));
        else
          for (const [key, value] of renumberKeys([...direct.keys()], name, elements, (one) => direct.get(one)))
            fields.set(prefix + key, value);
      }
      for (const [key, value] of edits.values) {
        const old = direct.has(key) ? undefined : valueAt(node, key.split('.'));
        if (old === undefined) fields.set(prefix + key, value);
        else nestedEdits.set(old, value);
      }
      const listNames = [...edits.lists.keys()];
      for (const { key, value } of node.members()) {
        const name = key.text.startsWith(prefix) ? key.text.slice(prefix.length) : key.text;
        if (fields.has(key.text) || listNames.some((list) => name.startsWith(`${list}.`))) continue;
        fields.set(key.text, writeNested(value, name, nestedEdits, others));
      }
      return patch(node, Object.fromEntries(fields));
    },
  };
}

/** A value with the edits inside it. A value without edits is an attribute that `others` writes. */
function writeNested(
  node: JsonNode,
  path: string,
  edits: ReadonlyMap<JsonNode, Json | undefined>,
  others: (key: string, value: JsonNode) => Json,
): Json | undefined {
  for (const [old, value] of edits) if (old.is(node)) return value;
  const holdsEdit = [...edits.keys()].some(
    (old) => old.source === node.source && old.start > node.start && old.end <= node.end,
  );
  if (!holdsEdit) return others(path, node);
  const fields: JsonFields = Object.fromEntries(
    node.members().map(({ key, value }) => [key.text, writeNested(value, `${path}.${key.text}`, edits, others)]),
  );
  return patch(node, fields);
}

function valueAt(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
}

function nestedListAt(node: JsonNode, direct: ReadonlyMap<string, JsonNode>, name: string): JsonNode | undefined {
  const list = direct.get(name) ?? valueAt(node, name.split('.'));
  return list?.isArray ? list : undefined;
}
