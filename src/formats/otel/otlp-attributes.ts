/** Attributes as OTLP lists them: `[{key, value: {stringValue}}]`. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { objectsIn } from '../shared/json-fields.js';
import { pathTo, wrongTypeInRecord } from '../shared/node-path.js';
import type { Attributes } from './attributes.js';
import { type GetAttribute, numberedElements, renumberKeys } from './numbered-keys.js';

/** A list of keys and values as attributes. */
export function listedAttributes(node: JsonNode | undefined): Attributes {
  const items = node?.items() ?? [];
  const values = new Map(
    items.flatMap((item) => (item.get('key')?.isString ? [[item.get('key')!.text, item.get('value')] as const] : [])),
  );
  const cache = new Map<string, JsonNode | undefined>();
  const get: GetAttribute = (key) => {
    if (!cache.has(key)) cache.set(key, unwrap(values.get(key)));
    return cache.get(key);
  };
  return {
    get,
    list: (name) => numberedElements(values.keys(), name, get),
    write(edits, others) {
      const newValues = new Map<string, Json | undefined>(edits.values);
      for (const [name, elements] of edits.lists)
        for (const [key, value] of renumberKeys([...values.keys()], name, elements, get)) newValues.set(key, value);
      const written = items.flatMap((item): Json[] => {
        const key = item.get('key')?.text ?? '';
        if (!newValues.has(key)) return [writeOther(item, key, others)];
        const value = newValues.get(key);
        newValues.delete(key);
        return value === undefined ? [] : [patch(item, { value: wrapLike(item.get('value'), value) })];
      });
      const added = [...newValues].flatMap(([key, value]) =>
        value === undefined ? [] : [{ key, value: wrapLike(undefined, value) }],
      );
      return node === undefined ? [...written, ...added] : patchItems(node, [...written, ...added]);
    },
  };
}

function writeOther(item: JsonNode, key: string, others: (key: string, value: JsonNode) => Json): Json {
  const value = item.get('value');
  const text = value?.get('stringValue');
  return text === undefined ? item : patch(item, { value: patch(value!, { stringValue: others(key, text) }) });
}

/** A value of OTLP as plain JSON: `{"intValue": "5"}` is 5. */
function unwrap(value: JsonNode | undefined): JsonNode | undefined {
  const held = value?.members().find(({ key }) => key.text.endsWith('Value'));
  if (held === undefined) return undefined;
  if (held.key.text === 'intValue' && held.value.isString) return parse(numberOf(held.value.text));
  return held.key.text === 'arrayValue' || held.key.text === 'kvlistValue' ? parse(jsonOf(value!)) : held.value;
}

/** A value of OTLP as JSON text. Throws if it is of the wrong type, or nested too deeply. */
function jsonOf(value: JsonNode, level = 0): string {
  if (!value.isObject) return wrongTypeInRecord(value, 'an object such as {"stringValue": …}');
  if (level > DEEPEST) return wrongTypeInRecord(value, `a value that is nested less than ${DEEPEST} times`);
  const list = (key: string) => {
    const values = value.get(key)!.get('values');
    return objectsIn(values, values === undefined ? '' : pathTo(values));
  };
  if (value.get('arrayValue') !== undefined) return `[${list('arrayValue').map((item) => jsonOf(item, level + 1))}]`;
  if (value.get('kvlistValue') !== undefined)
    return `{${list('kvlistValue').map((entry) => {
      const [key, inner] = [entry.get('key'), entry.get('value')];
      return `${JSON.stringify(key?.string ?? '')}:${inner === undefined ? 'null' : jsonOf(inner, level + 1)}`;
    })}}`;
  const int = value.get('intValue');
  if (int !== undefined) return numberOf(int.text);
  const [first] = value.members();
  return first === undefined ? 'null' : printed(first.value);
}

/** Of a text that is no number in JSON, such as `007`: null. */
const numberOf = (text: string) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? text : 'null');

/** The nesting limit: no instrumentation nests values this deeply. */
const DEEPEST = 500;

/** A value in OTLP's wrapping: in the old one if that held a scalar and the new value is a string. */
function wrapLike(old: JsonNode | undefined, now: Json): Json {
  if (now instanceof JsonNode && old !== undefined && unwrap(old)?.is(now)) return old;
  const isText = typeof now === 'string' || (now instanceof JsonNode && now.isString);
  if (old !== undefined && isText && old.get('arrayValue') === undefined && old.get('kvlistValue') === undefined)
    return patch(old, { stringValue: now });
  return wrap(JSON.parse(printed(now)), old);
}

/** A value in OTLP's wrapping. What the old value says already stays as it is wrapped there. */
function wrap(value: unknown, old?: JsonNode): Json {
  if (old?.isObject && plainOf(old) === JSON.stringify(value)) return old;
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: wrapItems(value, valuesIn(old, 'arrayValue')) } };
  return value === null ? {} : { kvlistValue: { values: wrapMembers(value as object, valuesIn(old, 'kvlistValue')) } };
}

function wrapItems(items: readonly unknown[], old: readonly JsonNode[]): Json[] {
  const same = new Map<string, JsonNode[]>();
  for (const item of old) listIn(same, plainOf(item)).push(item);
  return items.map((item, index) =>
    wrap(item, same.get(JSON.stringify(item))?.shift() ?? (items.length === old.length ? old[index] : undefined)),
  );
}

function wrapMembers(members: object, old: readonly JsonNode[]): Json[] {
  const entryOf = new Map(old.map((entry) => [entry.get('key')?.string ?? '', entry]));
  return Object.entries(members).map(([key, item]) => {
    const entry = entryOf.get(key);
    const now = entry?.get('value');
    if (entry === undefined || (now === undefined && item !== null)) return { key, value: wrap(item) };
    return now === undefined ? entry : patch(entry, { value: wrap(item, now) });
  });
}

function valuesIn(old: JsonNode | undefined, key: string): readonly JsonNode[] {
  return old?.get(key)?.get('values')?.items() ?? [];
}

/** What a value says, as JSON spelled in one way. */
function plainOf(value: JsonNode): string {
  return JSON.stringify(JSON.parse(jsonOf(value)));
}
