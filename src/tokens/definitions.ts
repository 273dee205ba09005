/**
 * Counts the tokens of the tool definitions of a request.
 *
 * OpenAI shows a model its tools as TypeScript: `namespace functions { type find = (_: { … }) => any; }`. That text is
 * rendered here and counted, with what stands around it. Of the 18 requests with tools whose `prompt_tokens` LiteLLM
 * recorded (GPT-3.5 and GPT-4, flat and nested definitions) 13 come out exact and 5 one token over; both requests with
 * tools in OpenAI's cookbook come out exact, in cl100k_base (105) and in o200k_base (101). The cookbook's own
 * constants, fitted on that one definition, miss all 18, by up to 9 tokens where definitions are flat and 25 where
 * objects nest: so the text is the rule for every definition. It is the estimate for other providers too, who do not
 * say how they show tools to a model.
 *
 * Claude alone is counted by the JSON of its definitions, and told by Anthropic how to use them: in 11 recorded
 * requests (of 525 to 1,081 tokens, https://github.com/pydantic/pydantic-ai, cassettes, 4fda38988f29) that is off by 26
 * tokens, the text by 49.
 */
import type { CountText } from './count.js';
import { rowOf } from './model-names.js';

/** A tool definition of any provider. */
export interface Definition {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly parameters?: unknown;
}

/** Other properties of a request that affect the tokens of its tools. */
export interface ToolUse {
  /** Whether the request has a system prompt. */
  readonly system: boolean;
  /** The tool that the model must call, if any; `auto` by default. */
  readonly choice?: 'auto' | 'none' | 'required' | { readonly tool: string };
}

/** The overhead of the rendered definitions, in tokens. */
const AROUND = {
  perRequest: 9,
  /** If the request has a system prompt: the definitions share its message. */
  withSystem: -4,
  choiceNone: 1,
  /** In addition to the tokens of the name. */
  choiceTool: 7,
  source:
    'https://github.com/BerriAI/litellm/blob/dbae06fd47c288441092fa8e6edc42be1b0f12a0/tests/test_litellm/litellm_core_utils/messages_with_counts.py',
  date: '2026-11-21',
} as const;

/** The tokens of the definitions in the encoding of `count`, without `toolPromptTokens`; 0 if there are none. */
export function countTools(
  tools: readonly Definition[],
  model: string,
  count: CountText,
  { system, choice = 'auto' }: ToolUse = { system: false },
): number {
  if (tools.length === 0) return 0;
  const json = toolPromptOf(model) === undefined ? undefined : jsonOf(tools);
  if (json !== undefined) return count(json);
  const chosen =
    choice === 'none' ? AROUND.choiceNone : typeof choice === 'object' ? AROUND.choiceTool + count(choice.tool) : 0;
  return count(renderTools(tools)) + AROUND.perRequest + (system ? AROUND.withSystem : 0) + chosen;
}

/** The definitions in Anthropic's format; undefined if a schema is too deep. */
function jsonOf(tools: readonly Definition[]): string | undefined {
  try {
    return JSON.stringify(
      tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    );
  } catch {
    return undefined;
  }
}

/** The definitions in the form that OpenAI's models see. */
export function renderTools(tools: readonly Definition[]): string {
  return [
    'namespace functions {',
    '',
    ...tools.flatMap((tool) => [renderTool(tool), '']),
    '} // namespace functions',
  ].join('\n');
}

function renderTool({ name, description, parameters }: Definition): string {
  const takes = isObject(parameters) && properties(parameters).length > 0 ? `(_: ${renderSchema(parameters)})` : '()';
  return `${comment(description)}type ${name} = ${takes} => any;`;
}

/** A schema as a TypeScript type. Iterative, because schemas may be deep. */
function renderSchema(root: JsonObject): string {
  const references = new Set<string>();
  const written: string[] = [];
  const left: (string | JsonObject)[] = [root];
  while (left.length > 0) {
    const next = left.pop()!;
    if (typeof next === 'string') written.push(next);
    else for (const piece of typeOf(resolve(next, root, references)).reverse()) left.push(piece);
  }
  return written.join('');
}

/** A type in pieces: text, and schemas that are not rendered yet. */
function typeOf(schema: JsonObject): (string | JsonObject)[] {
  const { type, items } = schema;
  if (Array.isArray(schema.enum)) return [schema.enum.map(spelled).join(' | ')];
  if ('const' in schema) return [spelled(schema.const)];
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)?.filter(isObject);
  if (branches !== undefined) return between(branches, ' | ');
  if (Array.isArray(type))
    return between(
      type.map((one) => ({ ...schema, type: one })),
      ' | ',
    );
  if (type === 'array') return isObject(items) ? [items, '[]'] : ['any[]'];
  if (type === 'object' || properties(schema).length > 0) return objectType(schema);
  return [typeof type === 'string' ? (TYPES.get(type) ?? type) : 'any'];
}

/** A value as a type; `any` if it is too deep. */
function spelled(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'any';
  }
}

const TYPES = new Map([['integer', 'number']]);

function objectType(schema: JsonObject): (string | JsonObject)[] {
  const fields = properties(schema);
  if (fields.length === 0) return ['object'];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return [
    '{\n',
    ...fields.flatMap(([key, field]) => [
      `${comment(field.description)}${key}${required.has(key) ? '' : '?'}: `,
      field,
      ',\n',
    ]),
    '}',
  ];
}

/** The target of a reference at its first mention; later only its name, so that circles end. */
function resolve(schema: JsonObject, root: JsonObject, references: Set<string>): JsonObject {
  const reference = schema.$ref;
  if (typeof reference !== 'string') return schema;
  const path = reference.split('/');
  const name = path.at(-1)!;
  if (references.has(reference)) return { type: name };
  references.add(reference);
  const named = path
    .slice(1)
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
  return isObject(named) ? named : { type: name };
}

function comment(description: unknown): string {
  if (typeof description !== 'string' || description === '') return '';
  return `${description.replace(/^/gm, '// ')}\n`;
}

function properties(schema: JsonObject): [string, JsonObject][] {
  return isObject(schema.properties)
    ? Object.entries(schema.properties).map(([key, field]) => [key, isObject(field) ? field : {}])
    : [];
}

function between<T>(items: readonly T[], separator: string): (T | string)[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Tokens of the system prompt that Anthropic adds to requests with tools: [if a call is optional, if it is required].
 */
interface ToolPrompt {
  readonly prefix: string;
  readonly tokens: readonly [choice: number, forced: number];
  readonly source: string;
  readonly date: string;
}

/** In the provider's own tokens, so no factor applies. 0 for all models but Claude. */
export function toolPromptTokens(model: string, choice: ToolUse['choice'] = 'auto'): number {
  return toolPromptOf(model)?.tokens[choice === 'auto' || choice === 'none' ? 0 : 1] ?? 0;
}

function toolPromptOf(model: string): ToolPrompt | undefined {
  return rowOf(model.replace(/(\d)\.(\d)/g, '$1-$2'), TOOL_PROMPTS);
}

/** Read 2026-11-21. An older copy of the page had 346 and 313 for Claude 3.7 to 4.5. */
const ANTHROPIC = {
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview',
  date: '2026-11-21',
};
/** From the older copy: models that the page no longer lists. */
const ANTHROPIC_2025 = {
  source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview',
  date: '2026-11-21',
};

const TOOL_PROMPTS: readonly ToolPrompt[] = [
  ...toolPrompts(ANTHROPIC, {
    'claude-opus-4-8': [290, 410],
    'claude-opus-4-7': [675, 804],
    'claude-opus-4-6': [497, 589],
    'claude-opus-4-5': [496, 588],
    'claude-opus-4-1': [313, 315],
    'claude-opus-4': [313, 315],
    'claude-sonnet-5': [354, 474],
    'claude-sonnet-4-6': [497, 589],
    'claude-sonnet-4-5': [496, 588],
    'claude-sonnet-4': [313, 315],
    'claude-haiku-4-5': [496, 588],
    'claude-3-5-haiku': [264, 355],
    claude: [290, 410], // newer models, or no version: the newest model on the page
    opus: [290, 410],
    sonnet: [354, 474],
    haiku: [496, 588],
  }),
  ...toolPrompts(ANTHROPIC_2025, {
    'claude-3-7-sonnet': [346, 313],
    'claude-3-5-sonnet': [346, 313],
    'claude-3-5-sonnet-20240620': [294, 261],
    'claude-3-opus': [530, 281],
    'claude-3-sonnet': [159, 235],
    'claude-3-haiku': [264, 340],
  }),
].sort((a, b) => b.prefix.length - a.prefix.length);

function toolPrompts(
  stated: { readonly source: string; readonly date: string },
  tokens: Readonly<Record<string, ToolPrompt['tokens']>>,
): ToolPrompt[] {
  return Object.entries(tokens).map(([prefix, both]) => ({ prefix, tokens: both, ...stated }));
}
