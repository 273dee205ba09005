/** JSON Schemas of tools whose APIs spell them otherwise: Gemini's part of OpenAPI, and version 1 of Cohere's API. */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { commaSet } from '../../lists.js';
import type { ToolDefinition } from '../encode.js';
import { table } from './table.js';

export function withJsonSchema({ dialect, ...definition }: ToolDefinition): ToolDefinition {
  const { parameters } = definition;
  if (dialect === undefined || !(parameters instanceof JsonNode)) return definition;
  const written = dialect === 'open-api' ? schemaOf(parameters) : fromDefinitions(parameters);
  return { ...definition, parameters: reparsed(written) };
}

// --- Gemini's: https://ai.google.dev/api/caching#Schema, 2026-11

const TYPES = commaSet('STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT, NULL, TYPE_UNSPECIFIED');
/** Of 64 bits, which the JSON of protocol buffers spells as strings. */
const COUNTS = commaSet('maxItems, minItems, maxProperties, minProperties, maxLength, minLength');
/** The other spelling of fields, and Vertex AI's names without `$`. */
const NAMES = table<string>({
  any_of: 'anyOf',
  property_ordering: 'propertyOrdering',
  additional_properties: 'additionalProperties',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
  max_length: 'maxLength',
  min_length: 'minLength',
  defs: '$defs',
  ref: '$ref',
});

function schemaOf(schema: JsonNode): Json {
  if (!schema.isObject) return schema;
  const entries = schema.members().flatMap(({ key, value }) => {
    const name = NAMES[key.text] ?? key.text;
    const renamed = [name, keywordOf(name, value)] as const;
    return name === key.text ? [renamed] : [[key.text, undefined] as const, renamed];
  });
  const fields: JsonFields = Object.fromEntries(entries);
  return patch(schema, { ...fields, ...nullable(schema, fields) });
}

function keywordOf(name: string, value: JsonNode): Json | undefined {
  if (name === 'type') return typeOf(value);
  if (name === 'items' || name === 'additionalProperties') return schemaOf(value);
  if (name === 'anyOf') return patchEach(value, schemaOf);
  if (name === 'properties' || name === '$defs')
    return patch(value, Object.fromEntries(value.members().map(({ key, value: one }) => [key.text, schemaOf(one)])));
  if (name === '$ref') return value.string?.replace(/^#\/defs\//, '#/$defs/') ?? value;
  return COUNTS.has(name) && /^\d+$/.test(value.string ?? '') ? Number(value.text) : value;
}

function typeOf(type: JsonNode): Json | undefined {
  if (type.string === 'TYPE_UNSPECIFIED') return undefined;
  return TYPES.has(type.string ?? '') ? type.text.toLowerCase() : type;
}

/** JSON Schema says it by a type, and by a value where values are listed. */
function nullable(schema: JsonNode, { type, anyOf }: JsonFields): JsonFields {
  const held = schema.get('nullable');
  if (held?.boolean === undefined) return {};
  if (!held.boolean) return { nullable: undefined };
  const [values, choices] = [schema.get('enum'), schema.get('anyOf') ?? schema.get('any_of')];
  return {
    nullable: undefined,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values?.isArray ? { enum: [...values.items(), null] } : {}),
    ...(choices?.isArray && anyOf !== undefined ? { anyOf: [...choices.items().map(schemaOf), { type: 'null' }] } : {}),
  };
}

// --- Cohere's

/** Python's types. https://docs.cohere.com/v1/reference/chat (`tools.parameter_definitions`), 2026-11 */
const PYTHON = table<string>({
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
});

/** The parameters of a tool of Cohere's version 1: an object by name, each with a Python type. */
function fromDefinitions(definitions: JsonNode): Json {
  const members = definitions.members();
  const required = members.filter(({ value }) => value.get('required')?.boolean === true).map(({ key }) => key.text);
  const properties = Object.fromEntries(members.map(({ key, value }) => [key.text, parameterOf(value)]));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** A type that JSON Schema has not is said in the description. */
function parameterOf(definition: JsonNode): Json {
  const type = definition.get('type')?.string;
  const schema = pythonType(type ?? '');
  const said = [definition.get('description')?.string, schema === undefined && type ? `(${type})` : undefined];
  const description = said.filter((text) => text !== undefined).join(' ');
  return { ...schema, ...(description === '' ? {} : { description }) };
}

function pythonType(type: string): JsonFields | undefined {
  const [, name = '', inner] = /^\s*(\w+)\s*(?:\[(.*)\])?\s*$/.exec(type) ?? [];
  const known = PYTHON[name.toLowerCase()];
  if (inner === undefined) return known === undefined ? undefined : { type: known };
  if (known === 'array') return withInner({ type: 'array' }, 'items', inner);
  const value = /^\s*str\s*,(.*)$/.exec(inner)?.[1];
  return known === 'object' && value !== undefined
    ? withInner({ type: 'object' }, 'additionalProperties', value)
    : undefined;
}

function withInner(outer: JsonFields, key: string, type: string): JsonFields | undefined {
  const inner = pythonType(type);
  return inner === undefined ? undefined : { ...outer, [key]: inner };
}
