/** Edits of JavaScript values: what they mean as JavaScript values again. */
import { assertJson } from './check.js';
import { ArrayEdit, type Json, ObjectEdit } from './edit.js';
import { JsonNode } from './node.js';
import { PlainNode } from './plain-node.js';

/**
 * The JavaScript value of an edit. What was not edited is the same object; what was edited keeps its prototype and its
 * other members.
 */
export function plainOf(json: Json): unknown {
  if (json instanceof PlainNode) return json.value;
  if (json instanceof JsonNode) return valueIn(json);
  if (json instanceof ArrayEdit) return json.items.map(plainOf);
  if (json instanceof ObjectEdit) return editedObject(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map(plainOf);
  const entries = Object.entries(json).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, plainOf(value as Json)]));
}

/** Throws TranscriptError if what a format wrote is not JSON. */
function valueIn({ source, start, end }: JsonNode): unknown {
  return JSON.parse(assertJson(source.bytes.subarray(start, end)).toString());
}

function editedObject({ base, fields }: ObjectEdit): object {
  const object = copyOf(base.toJSON() as object) as Record<string, unknown>;
  for (const [key, value] of fields) {
    if (value === undefined) delete object[key];
    else
      Object.defineProperty(object, key, {
        value: plainOf(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return object;
}

/** A copy with the same prototype and all own members. */
export function copyOf(value: object): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return { ...value };
  return Object.create(prototype as object | null, Object.getOwnPropertyDescriptors(value)) as object;
}

/** Whether a value to print is one of JavaScript values. */
export function isPlainBased(json: Json): boolean {
  const base = json instanceof ObjectEdit || json instanceof ArrayEdit ? json.base : json;
  return base instanceof PlainNode;
}
