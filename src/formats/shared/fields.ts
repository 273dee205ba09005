import { type Json, type JsonFields, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';

/** The members of an object, as it was read, edited or made. */
export function fieldsOf(json: Json): JsonFields {
  if (json instanceof ObjectEdit) return { ...fieldsOf(json.base), ...Object.fromEntries(json.fields) };
  if (!(json instanceof JsonNode)) return json as JsonFields;
  return Object.fromEntries(json.members().map(({ key, value }) => [key.text, value]));
}

/** An object that was made here, which a format may spell in its own way; undefined for one that was read. */
export function madeHere(json: Json): JsonFields | undefined {
  return json instanceof ObjectEdit || json instanceof JsonNode ? undefined : (json as JsonFields);
}
