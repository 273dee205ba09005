/**
 * What the messages of a chat request cost in tokens beyond their text. The rules are OpenAI's, as its cookbook publishes them: every
 * figure there equals the `prompt_tokens` that the API reported. The encoding is handed in as a function.
 */
import { rowOf } from './models.js';

/** The tokens of a text, without any overhead. */
export interface CountText {
  (text: string): number;
  /** The same of UTF-8 from `start` to `end`, where a text need not be decoded first. */
  readonly bytes?: (bytes: Uint8Array, start: number, end: number) => number;
}

/** What of a message is encoded. Texts may be of any kind that is counted: strings, or where they stand in bytes. */
export interface MessageTexts<T = string> {
  readonly role: string;
  readonly name?: string;
  readonly texts: readonly T[];
  readonly calls: readonly { readonly tool: string; readonly input: T }[];
}

/** Tokens around the text of messages. */
export interface Overhead {
  readonly perMessage: number;
  /** On top of the tokens of the name itself. */
  readonly perName: number;
  /** For a call together with its result, on top of the tool's name, the arguments and the result's text. */
  readonly perCall: number;
  /** Once a request: the start of the answer. */
  readonly perRequest: number;
}

interface Stated extends Overhead {
  /** Where `perCall` is from; all else is the cookbook's. */
  readonly source: string;
  readonly date: string;
}

/** https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb (read 2026-11-20) */
const COOKBOOK = { perMessage: 3, perName: 1, perRequest: 3 };

/**
 * Three requests to GPT-4o whose `prompt_tokens` are recorded, with calls one after the other, come out within a token. Calls side by
 * side cost about 6 more each.
 */
export const OVERHEAD: Stated = {
  ...COOKBOOK,
  perCall: 8,
  source: 'https://github.com/pydantic/pydantic-ai (cassettes, 4fda38988f29)',
  date: '2026-11-21',
};

const OVERHEADS: readonly (Stated & { readonly prefix: string })[] = [
  // The one model where a name stands in place of the role.
  { prefix: 'gpt-3.5-turbo-0301', ...OVERHEAD, perMessage: 4, perName: -1 },
  // What prompts of Codex grow by in a call, beyond its texts: 10 in most of 437 pairs of requests to GPT-5.
  ...['gpt-5', 'gpt-6', 'gpt-oss', 'codex'].map((prefix) => ({
    prefix,
    ...OVERHEAD,
    perCall: 10,
    source: 'https://github.com/Monotoba/OpenPrintKit/tree/d4cae3f4f7de/.codex/sessions/2025/10/31',
    date: '2026-11-21',
  })),
  // About 45 of Claude's own tokens, in 11 requests with definitions, calls and results: 37 before the factor of 1.22.
  ...['claude', 'sonnet', 'opus', 'haiku'].map((prefix) => ({ prefix, ...OVERHEAD, perCall: 37 })),
];

/** The overhead that a model's messages have. */
export function overheadOf(model: string): Overhead {
  return rowOf(model, OVERHEADS) ?? OVERHEAD;
}

/** A whole prompt: its messages and the start of the answer. Tools and media come on top: `countTools`, `imageTokens`. */
export function countMessages(
  messages: Iterable<MessageTexts>,
  count: CountText,
  overhead: Overhead = OVERHEAD,
): number {
  let tokens = overhead.perRequest;
  for (const message of messages) tokens += countMessage(message, count, overhead);
  return tokens;
}

/** One message of a prompt: its overhead, role, name, texts and calls (name and arguments). Media come on top: `imageTokens`. */
export function countMessage<T = string>(
  message: MessageTexts<T>,
  count: (text: T | string) => number,
  overhead: Overhead = OVERHEAD,
): number {
  let tokens = overhead.perMessage + count(message.role);
  if (message.name !== undefined) tokens += overhead.perName + count(message.name);
  for (const text of message.texts) tokens += count(text);
  for (const call of message.calls) tokens += overhead.perCall + count(call.tool) + count(call.input);
  return tokens;
}
