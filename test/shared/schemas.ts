/**
 * What each provider's published schema says of a list of messages. fixtures/schemas/README.md says where they are
 * from.
 */
import { readFileSync } from 'node:fs';
import { modelMessageSchema } from 'ai';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { once } from '../../src/once.js';

type Schema = { [key: string]: unknown };
type Judge = (message: unknown) => string | undefined;

/** Where a published schema refuses what its API takes. */
export const RELAXED: readonly { readonly schema: string; readonly what: string; readonly reason: string }[] = [
  {
    schema: 'openai-responses',
    what: '`oneOf` is read as `anyOf`',
    reason: 'its alternatives overlap: a message of the assistant with a text is two of them',
  },
  {
    schema: 'openai-responses',
    what: '`id` and `status` of items are optional',
    reason: 'the API gives them to what it returns and takes input without: with `store: false` Codex sends none',
  },
  {
    schema: 'openai-responses',
    what: '`logprobs` and `annotations` of `output_text` are optional',
    reason: 'recorded requests that the API answered leave them out',
  },
  {
    schema: 'openai-responses',
    what: 'a `computer_call_output` is not judged after a change',
    reason: 'it takes a picture only: where that was taken away, no value says so that the schema has',
  },
  {
    schema: 'anthropic-messages',
    what: 'blocks of MCP, of the advisor tool and of added tools are left out of what is judged',
    reason: 'they are of the beta API, whose types are others; recorded requests that the API answered hold them',
  },
  {
    schema: 'gemini-contents',
    what: 'keys in snake_case are read as camelCase',
    reason: 'the API takes both: they are the JSON and the original name of one protobuf field',
  },
];

const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  OutputTextContent: ['logprobs', 'annotations'],
};

const chat = once(() => openai('openai-chat', {}));
const responses = once(() => openai('openai-responses', OPTIONAL));

/** By format: what is wrong with a message. Formats without a published schema are not in it. */
const JUDGES: ReadonlyMap<string, Judge> = new Map([
  ['openai-chat', byAjv(chat, 'openai-chat#/components/schemas/ChatCompletionRequestMessage')],
  ['openai-responses', byAjv(responses, 'openai-responses#/components/schemas/InputItem')],
  [
    'anthropic-messages',
    withoutBeta(byAjv(draft7('anthropic-messages'), 'anthropic-messages#/definitions/MessageParam')),
  ],
  ['gemini-contents', camel(byAjv(draft7('gemini-contents'), 'gemini-contents#/definitions/Content'))],
  ['cohere', byAjv(draft7('cohere-messages'), 'cohere-messages#/definitions/ChatMessageV2.Raw')],
  ['groq', byAjv(draft7('groq-messages'), 'groq-messages#/definitions/ChatCompletionMessageParam')],
  ['gemini-interactions', byAjv(draft7('gemini-interactions'), 'gemini-interactions#/definitions/InputStep')],
  ['ollama-chat', byAjv(draft7('ollama-messages'), 'ollama-messages#/definitions/ChatMessage')],
  ['bedrock-converse', byAjv(draft7('bedrock-converse'), 'bedrock-converse#/definitions/Message')],
  [
    'vercel-model',
    (message) => {
      const { error } = modelMessageSchema.safeParse(message);
      return error?.issues.map(({ path, message: text }) => `${path.join('.')}: ${text}`).join('; ');
    },
  ],
]);

export const judged = [...JUDGES.keys()];

/** A sentence for each message of the list that the format's published schema refuses. */
export function refused(format: string, messages: readonly unknown[]): string[] {
  const judge = JUDGES.get(format)!;
  return messages.flatMap((message, index) => {
    const fault = judge(message);
    return fault === undefined ? [] : [`message ${index}: ${fault}: ${JSON.stringify(message).slice(0, 300)}`];
  });
}

const META = new Ajv2020({ strict: false, logger: false });
const TOOLS: ReadonlyMap<string, Judge> = new Map([
  ['openai-chat', byAjv(chat, 'openai-chat#/components/schemas/ChatCompletionTool')],
  ['openai-responses', byAjv(responses, 'openai-responses#/components/schemas/Tool')],
]);
const SCHEMAS = ['parameters', 'input_schema', 'parametersJsonSchema', 'json'];

/**
 * A sentence for each tool of a request that OpenAI's published schema refuses, or whose own schema is none by the
 * meta-schema of JSON Schema (draft 2020-12).
 */
export function refusedTools(format: string, request: Schema): string[] {
  const tools = ((request['toolConfig'] as Schema | undefined)?.['tools'] ?? request['tools']) as Schema[];
  const entries = tools.flatMap((tool) => (tool['functionDeclarations'] as Schema[] | undefined) ?? [tool]);
  return entries.flatMap((entry) => {
    const inner = (entry['function'] ?? (entry['toolSpec'] as Schema | undefined)?.['inputSchema'] ?? entry) as Schema;
    const schema = SCHEMAS.map((key) => inner[key]).find((found) => found !== undefined) as Schema | undefined;
    const isSchema = schema === undefined || META.validateSchema(schema) === true;
    const faults = [TOOLS.get(format)?.(entry), isSchema ? undefined : META.errorsText(META.errors?.slice(-3))];
    return faults.flatMap((fault) => (fault === undefined ? [] : `${fault}: ${JSON.stringify(entry)}`));
  });
}

function read(name: string): Schema {
  return JSON.parse(readFileSync(`fixtures/schemas/${name}.schema.json`, 'utf8')) as Schema;
}

/** What is published is not judged itself: with the compilers' work, that took a second at each import. */
const LENIENT = { strict: false, logger: false, validateSchema: false } as const;

function draft7(name: string): () => Ajv {
  return once(() => new Ajv(LENIENT).addSchema({ ...read(name), $id: name }));
}

function openai(name: string, optional: Readonly<Record<string, readonly string[]>>): Ajv {
  const schema = read(name);
  const { schemas } = schema['components'] as { schemas: Record<string, Schema> };
  for (const [part, keys] of Object.entries(optional)) {
    const required = schemas[part]!['required'] as string[];
    schemas[part]!['required'] = required.filter((key) => !keys.includes(key));
  }
  if (name === 'openai-responses')
    for (const [title, part] of Object.entries(schemas)) {
      const required = part['required'] as string[] | undefined;
      if (required !== undefined && title !== 'ItemReferenceParam')
        part['required'] = required.filter((key) => key !== 'id' && key !== 'status');
    }
  const relaxed = name === 'openai-responses' ? JSON.stringify(schema).replaceAll('"oneOf":', '"anyOf":') : undefined;
  return new Ajv2020(LENIENT).addSchema(relaxed === undefined ? schema : (JSON.parse(relaxed) as Schema));
}

/** Compiled where a message is judged first. */
function byAjv(ajv: () => Ajv, reference: string): Judge {
  const judge = once(() => ajv().compile({ $ref: reference }) as ValidateFunction);
  return (message) => {
    const validate = judge();
    if (validate(message)) return undefined;
    return ajv().errorsText(validate.errors?.slice(-3), { dataVar: '', separator: '; ' });
  };
}

/** What a tool is called with, and what it answered, has keys of its own. */
const OWN_KEYS = new Set(['args', 'response']);

function camel(judge: Judge): Judge {
  const spelled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spelled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        OWN_KEYS.has(key) ? member : spelled(member),
      ]),
    );
  };
  return (message) => judge(spelled(message));
}

const BETA = new Set(['mcp_tool_use', 'mcp_tool_result', 'advisor_tool_result', 'tool_addition', 'tool_removal']);

function withoutBeta(judge: Judge): Judge {
  const isBeta = ({ type, name }: { type?: string; name?: string }) =>
    BETA.has(type ?? '') || (type === 'server_tool_use' && name === 'advisor');
  return (message) => {
    const content = (message as { content?: unknown } | null)?.content;
    if (!Array.isArray(content)) return judge(message);
    const judged = content.filter((block: unknown) => !(typeof block === 'object' && block !== null && isBeta(block)));
    return judge({ ...(message as object), content: judged });
  };
}
