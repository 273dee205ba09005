/** What each API accepts of JSON Schema in tool definitions and output formats, as data, and the faults of a schema. */
import { table } from '../../formats/shared/table.js';
import { type JsonFields, patchItems } from '../../json/edit.js';
import type { JsonKind, JsonNode } from '../../json/node.js';
import type { Addition } from '../../json/replace.js';
import { changeOf } from './request.js';

export interface Dialect {
  /** The root must state `type: object`; `unless-empty`: but `{}` is accepted. */
  readonly root?: 'always' | 'unless-empty';
  /** Keywords that the root must not have. */
  readonly notAtRoot?: readonly string[];
  /** The root must have `properties`. */
  readonly needsProperties?: boolean;
  /** Every array must have `items`, which are this where they are missing. */
  readonly items?: JsonFields;
  /** Only these keywords are known. */
  readonly only?: ReadonlySet<string>;
  /** These keywords are rejected. */
  readonly not?: readonly string[];
  /** Every object lists all properties in `required`. */
  readonly isStrict?: boolean;
  /** `items` must be one schema: since draft 2020-12, `prefixItems` holds several. */
  readonly isDraft2020?: boolean;
  /** Enumerations hold texts, and `type` is one text: Gemini's protocol buffers. */
  readonly isProto?: boolean;
  /** Every object has `additionalProperties: false`. */
  readonly isClosed?: boolean;
  /** Beside `anyOf` there is no `type`. */
  readonly isAnyOfAlone?: boolean;
  /** An object that lists its properties has at least one. */
  readonly hasProperties?: boolean;
  /** The formats that a text may have. */
  readonly formats?: readonly string[];
}

const COMBINED = ['oneOf', 'anyOf', 'allOf'];

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html, 2026-11 */
export const BEDROCK: Dialect = { root: 'unless-empty' };

/** anthropics/claude-code#5973, kintone/mcp-server#553, 2026 */
export const ANTHROPIC: Dialect = { root: 'always', notAtRoot: COMBINED, isDraft2020: true };

/** ax-llm/ax#458, 2025-11; BerriAI/litellm#21045, agentjido/req_llm#707, 2026 */
export const ANTHROPIC_STRICT: Dialect = {
  ...ANTHROPIC,
  isClosed: true,
  not: [
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
    'maxItems',
  ],
};

/** https://platform.openai.com/docs/guides/function-calling, inboxapi/cli#106, szeider/mcp-dblp#3, 2026 */
export const OPENAI: Dialect = {
  root: 'unless-empty',
  notAtRoot: [...COMBINED, 'enum', 'not'],
  needsProperties: true,
  items: {},
  isDraft2020: true,
};

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, 2026-11 */
export const OPENAI_STRICT: Dialect = {
  ...OPENAI,
  items: { type: 'string' },
  isStrict: true,
  isClosed: true,
  not: [
    ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'patternProperties'],
    ...['propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'contains', 'minContains', 'maxContains'],
    'uniqueItems',
  ],
};

/** https://api-docs.deepseek.com/api/create-chat-completion, 2026-11 */
export const DEEPSEEK: Dialect = { root: 'unless-empty' };

/** https://ai.google.dev/api/caching#Schema, zed-industries/zed#44875, 2026-11 */
const GEMINI_WORDS = [
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering'],
  ...['default', 'items', 'minimum', 'maximum', 'max_items', 'min_items', 'min_properties', 'max_properties'],
  ...['min_length', 'max_length', 'any_of', 'property_ordering'],
];
export const GEMINI: Dialect = {
  items: { type: 'STRING' },
  only: new Set(GEMINI_WORDS),
  isProto: true,
  hasProperties: true, // pipecat-ai/pipecat-flows#110, agno-agi/agno#2112, 2025
  formats: ['enum', 'date-time'], // google-gemini/gemini-cli#3178 and #5450, labring/aiproxy#312, 2025-08
};

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema, 2026-11 */
const VERTEX_WORDS = ['additionalProperties', 'additional_properties', 'ref', 'defs', '$ref', '$defs'];
export const VERTEX: Dialect = {
  ...GEMINI,
  root: 'unless-empty',
  only: new Set([...GEMINI_WORDS, ...VERTEX_WORDS]),
  formats: undefined,
  hasProperties: false,
  isAnyOfAlone: true, // langchain-ai/langchain-google#1216, 2025-09; lambda-alpha-labs/Graphenium#37, 2026-07
};

export interface SchemaFault {
  readonly node: JsonNode;
  readonly text: string;
  /** What mends it; undefined where nothing does. */
  readonly changes: readonly Addition[] | undefined;
}

/** The faults of a schema, which stands at `path`. */
export function* schemaFaultsIn(root: JsonNode, dialect: Dialect, path: string): Generator<SchemaFault> {
  if (!root.isObject) return yield { node: root, text: `\`${path}\` is not an object`, changes: undefined };
  yield* rootFaults(root, dialect, path);
  for (const [node, at] of schemasIn(root, path)) yield* faultsOf(node, dialect, at);
}

function* rootFaults(root: JsonNode, dialect: Dialect, path: string): Generator<SchemaFault> {
  const { root: needed, notAtRoot = [], needsProperties } = dialect;
  const type = root.get('type');
  const isEmpty = root.members().length === 0;
  const isFine = type?.string?.toLowerCase() === 'object' || needed === undefined || (needed !== 'always' && isEmpty);
  if (!isFine) yield faultAt(root, `\`${path}.type\` is not \`object\``, { type: 'object' });
  else if (needsProperties && !isEmpty && root.get('properties') === undefined)
    yield faultAt(root, `\`${path}\` has no \`properties\``, { properties: {} });
  for (const word of notAtRoot)
    if (root.get(word) !== undefined)
      yield faultAt(root, `\`${path}\` has \`${word}\` at the top level`, { [word]: undefined });
}

function* faultsOf(node: JsonNode, dialect: Dialect, path: string): Generator<SchemaFault> {
  yield* wrongKinds(node, dialect, path);
  yield* wordFaults(node, dialect, path);
  yield* itemFaults(node, dialect, path);
  if (dialect.isClosed) yield* strictFaults(node, dialect, path);
  if (dialect.isProto) yield* protoFaults(node, path);
  if (dialect.isAnyOfAlone && node.get('type') !== undefined && (node.get('anyOf') ?? node.get('any_of')) !== undefined)
    yield faultAt(node, `\`${path}\` has a type beside \`anyOf\``, { type: undefined });
  const properties = node.get('properties');
  if (dialect.hasProperties && properties?.isObject && properties.members().length === 0)
    yield { node: properties, text: `\`${path}.properties\` is empty`, changes: undefined };
  for (const { key, value } of properties?.members() ?? [])
    if (!value.isObject && value.kind !== 'boolean')
      yield faultAt(properties!, `\`${path}.properties.${key.text}\` is not a schema`, { [key.text]: undefined });
  const format = node.get('format')?.string;
  if (format !== undefined && isA(node, 'string') && dialect.formats?.includes(format) === false)
    yield faultAt(node, `\`${path}.format\` is \`${format}\`, not \`${dialect.formats.join('` or `')}\``, {
      format: undefined,
    });
}

/** What the meta-schema says of keywords. https://json-schema.org/draft/2020-12/meta/validation */
const KINDS = table<readonly JsonKind[]>({
  type: ['string', 'array'],
  properties: ['object'],
  required: ['array'],
  enum: ['array'],
  anyOf: ['array'],
  oneOf: ['array'],
  allOf: ['array'],
  description: ['string'],
});
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

function* wrongKinds(node: JsonNode, { isProto = false }: Dialect, path: string): Generator<SchemaFault> {
  for (const [word, kinds] of Object.entries(KINDS)) {
    const value = node.get(word);
    if (value === undefined) continue;
    const types = word === 'type' ? (value.isArray ? value.items() : [value]) : [];
    if (!kinds.includes(value.kind) || types.some((type) => !isType(type, isProto)))
      yield { node: value, text: `\`${path}.${word}\` is ${value.json.slice(0, 40)}`, changes: mendedKind(node, word) };
  }
}

/** Only Gemini takes its own names, in capitals. */
function isType({ string = '' }: JsonNode, isProto: boolean): boolean {
  return TYPES.has(isProto ? string.toLowerCase() : string);
}

/** A keyword with a wrong value says nothing, but a type or properties may be what was meant. */
function mendedKind(node: JsonNode, word: string): readonly Addition[] | undefined {
  if (word === 'type') {
    const meant = node.get(word)?.string?.toLowerCase() ?? '';
    return TYPES.has(meant) ? changeOf(node, { type: meant }) : undefined;
  }
  return changeOf(node, { [word]: word === 'properties' ? {} : undefined });
}

function* wordFaults(node: JsonNode, { only, not = [] }: Dialect, path: string): Generator<SchemaFault> {
  for (const { key, value } of node.members()) {
    const word = key.text;
    if (only?.has(word) !== false && !not.includes(word)) continue;
    const text = `\`${path}\` has \`${word}\`, which the API does not know`;
    const isText = word === 'const' && only !== undefined && value.isString && node.get('enum') === undefined;
    yield faultAt(node, text, { [word]: undefined, ...(isText ? { enum: [value] } : {}) });
  }
}

function* itemFaults(node: JsonNode, { items, isDraft2020 }: Dialect, path: string): Generator<SchemaFault> {
  const own = node.get('items');
  if (isDraft2020 && own?.isArray)
    yield faultAt(node, `\`${path}.items\` is an array, which \`prefixItems\` is since draft 2020-12`, {
      prefixItems: own,
      items: node.get('additionalItems'),
      additionalItems: undefined,
    });
  else if (items !== undefined && own === undefined && node.get('prefixItems') === undefined && isA(node, 'array'))
    yield faultAt(node, `\`${path}\` is an array without \`items\``, { items });
}

function* strictFaults(node: JsonNode, { isStrict }: Dialect, path: string): Generator<SchemaFault> {
  if (!isA(node, 'object')) return;
  if (node.get('additionalProperties')?.boolean !== false)
    yield faultAt(node, `\`${path}\` is strict, but has no \`additionalProperties: false\``, {
      additionalProperties: false,
    });
  if (!isStrict) return;
  const names = (node.get('properties')?.members() ?? []).map(({ key }) => key.text);
  const required = new Set((node.get('required')?.items() ?? []).map(({ string }) => string));
  const optional = names.find((name) => !required.has(name));
  if (optional !== undefined)
    yield faultAt(node, `\`${path}\` is strict, but \`${optional}\` is not required`, { required: names });
}

function* protoFaults(node: JsonNode, path: string): Generator<SchemaFault> {
  const [type, values] = [node.get('type'), node.get('enum')];
  if (type?.isArray) yield faultAt(node, `\`${path}.type\` is a list, not one type`, oneType(type.items()));
  if (values?.isArray && values.items().some((value) => !value.isString || value.text === ''))
    yield faultAt(node, `\`${path}.enum\` has values other than texts that are not empty`, { enum: texts(values) });
  else if (values !== undefined && type !== undefined && !type.isArray && !isA(node, 'string'))
    yield faultAt(node, `\`${path}\` has an \`enum\`, which only a STRING may have`, { enum: undefined });
  if (node.get('format')?.string === 'enum' && !values?.length)
    yield faultAt(node, `\`${path}\` has the format \`enum\`, but no values`, { format: undefined, enum: undefined });
  const properties = node.get('properties');
  const required = (node.get('required')?.items() ?? []).map(({ text }) => text);
  const unknown = required.find((name) => properties?.get(name) === undefined);
  if (unknown !== undefined) {
    const known = required.filter((name) => properties?.get(name) !== undefined);
    const text = `\`${path}.required\` names \`${unknown}\`, which is not a property`;
    yield faultAt(node, text, { required: known.length > 0 ? known : undefined });
  }
}

function oneType(types: readonly JsonNode[]): JsonFields {
  const others = types.filter(({ text }) => text.toLowerCase() !== 'null');
  return { type: others[0], ...(others.length < types.length ? { nullable: true } : {}) };
}

function texts(values: JsonNode): ReturnType<typeof patchItems> | undefined {
  const kept = values.items().filter((value) => value.isString && value.text !== '');
  return kept.length === 0 ? undefined : patchItems(values, kept);
}

function isA(node: JsonNode, name: string): boolean {
  const type = node.get('type');
  return (type?.isArray ? type.items() : [type]).some((one) => one?.string?.toLowerCase() === name);
}

function faultAt(node: JsonNode, text: string, fields: JsonFields): SchemaFault {
  return { node, text, changes: changeOf(node, fields) };
}

// --- schemas inside of a schema

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'any_of', 'oneOf', 'allOf', 'prefixItems', 'items'];
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'];

/** A schema and all schemas in it, with their paths. */
function* schemasIn(node: JsonNode, path: string): Generator<readonly [JsonNode, string]> {
  if (!node.isObject) return;
  yield [node, path];
  for (const word of MAPS)
    for (const { key, value } of node.get(word)?.members() ?? [])
      yield* schemasIn(value, `${path}.${word}.${key.text}`);
  for (const word of LISTS)
    for (const [index, value] of listed(node.get(word))) yield* schemasIn(value, `${path}.${word}[${index}]`);
  for (const word of SINGLE) {
    const value = node.get(word);
    if (value?.isObject) yield* schemasIn(value, `${path}.${word}`);
  }
}

function listed(node: JsonNode | undefined): readonly (readonly [number, JsonNode])[] {
  return node?.isArray ? [...node.items().entries()] : [];
}
