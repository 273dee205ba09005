/**
 * What a chat request costs in tokens beyond its text. The rules are OpenAI's, as its cookbook publishes them: every
 * figure there equals the `prompt_tokens` that the API reported. The encoding is handed in as a function.
 */
import { modelInfo } from './models.js';

/** The tokens of a text, without any overhead. */
export type CountText = (text: string) => number;

/** What of a message is encoded. */
export interface MessageTexts {
  readonly role: string;
  readonly name?: string;
  readonly texts: readonly string[];
  readonly calls: readonly { readonly tool: string; readonly input: string }[];
  /** How many images it carries. */
  readonly images: number;
}

/** Tokens around the text of messages. */
export interface Overhead {
  readonly perMessage: number;
  /** On top of the tokens of the name itself. */
  readonly perName: number;
  /** Once a request: the start of the answer. */
  readonly perRequest: number;
}

const COOKBOOK = {
  source: 'https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb',
  date: '2026-11-20',
};

export const OVERHEAD = { perMessage: 3, perName: 1, perRequest: 3, ...COOKBOOK } as const satisfies Overhead;

/** The one model that counts otherwise: a name stands in place of the role there. */
export const OVERHEAD_GPT_35_TURBO_0301 = { perMessage: 4, perName: -1, perRequest: 3, ...COOKBOOK } as const satisfies Overhead;

/**
 * Tokens of an image whose size is not known: OpenAI's published example, 1024 x 1024 at high detail, 85 + 4 tiles * 170.
 * Low detail is 85; between that and this lie the defaults of other providers for pictures of common size.
 */
export const IMAGE = { tokens: 765, source: 'https://platform.openai.com/docs/guides/images-vision', date: '2026-11-20' } as const;

/** The overhead that a model's messages have. */
export function overheadOf(model: string): Overhead {
  return modelInfo(model)?.prefix === 'gpt-3.5-turbo-0301' ? OVERHEAD_GPT_35_TURBO_0301 : OVERHEAD;
}

/** A whole prompt: its messages and the start of the answer. Tools come on top: `countTools`. */
export function countMessages(messages: Iterable<MessageTexts>, count: CountText, overhead: Overhead = OVERHEAD): number {
  let tokens = overhead.perRequest;
  for (const message of messages) tokens += countMessage(message, count, overhead);
  return tokens;
}

/** One message of a prompt: its overhead, role, name, texts, calls (name and arguments) and images. */
export function countMessage(message: MessageTexts, count: CountText, overhead: Overhead = OVERHEAD): number {
  let tokens = overhead.perMessage + count(message.role) + message.images * IMAGE.tokens;
  if (message.name !== undefined) tokens += overhead.perName + count(message.name);
  for (const text of message.texts) tokens += count(text);
  for (const call of message.calls) tokens += count(call.tool) + count(call.input);
  return tokens;
}

interface ToolOverhead {
  readonly perFunction: number;
  /** Once for each object that has properties. */
  readonly perObject: number;
  readonly perProperty: number;
  readonly perEnum: number;
  readonly perEnumItem: number;
  /** Once, after all functions. */
  readonly end: number;
}

const TOOLS_GPT_4O = { perFunction: 7, perObject: 3, perProperty: 3, perEnum: -3, perEnumItem: 3, end: 12, ...COOKBOOK } as const;
const TOOLS_GPT_4 = { ...TOOLS_GPT_4O, perFunction: 10 } as const;

/**
 * The tool definitions of a request: OpenAI's, nested in `function` or flat, or any other with a name, a description and
 * a JSON Schema. The published rule ends at the properties of the parameters. Below them, properties of an object count
 * by the same rule, and a schema without a name (the items of an array, a branch of `anyOf`) as its type, description
 * and enum.
 */
export function countTools(tools: unknown, model: string, count: CountText): number {
  if (!Array.isArray(tools) || tools.length === 0) return 0;
  const overhead: ToolOverhead = modelInfo(model)?.encoding === 'cl100k_base' ? TOOLS_GPT_4 : TOOLS_GPT_4O;
  return tools.reduce<number>((tokens, tool) => tokens + countTool(tool, overhead, count), overhead.end);
}

function countTool(tool: unknown, overhead: ToolOverhead, count: CountText): number {
  if (!isObject(tool)) return 0;
  const definition = isObject(tool.function) ? tool.function : tool;
  const head = `${text(definition.name ?? definition.type)}:${description(definition)}`;
  return overhead.perFunction + count(head) + countSchema(definition.parameters ?? definition.input_schema, overhead, count);
}

/** The properties of a schema and all below it. A list of what is left, not recursion: schemas may be deep. */
function countSchema(parameters: unknown, overhead: ToolOverhead, count: CountText): number {
  let tokens = 0;
  const left: unknown[] = [parameters];
  while (left.length > 0) {
    const schema = left.pop();
    if (!isObject(schema)) continue;
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    if (properties.length > 0) tokens += overhead.perObject;
    for (const [key, property] of properties) {
      if (!isObject(property)) continue;
      tokens += overhead.perProperty + count(`${key}:${typeOf(property)}:${description(property)}`);
      tokens += countEnum(property, overhead, count);
      left.push(property);
    }
    for (const nameless of namelessWithin(schema)) {
      tokens += count(`${typeOf(nameless)}:${description(nameless)}`) + countEnum(nameless, overhead, count);
      left.push(nameless);
    }
  }
  return tokens;
}

function countEnum(schema: JsonObject, overhead: ToolOverhead, count: CountText): number {
  if (!Array.isArray(schema.enum)) return 0;
  return schema.enum.reduce<number>((tokens, item) => tokens + overhead.perEnumItem + count(text(item)), overhead.perEnum);
}

function namelessWithin(schema: JsonObject): JsonObject[] {
  return [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat().filter(isObject);
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The description without one full stop at its end. */
function description(schema: JsonObject): string {
  return text(schema.description).replace(/\.$/, '');
}

function typeOf(schema: JsonObject): string {
  return Array.isArray(schema.type) ? schema.type.join('|') : text(schema.type);
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
