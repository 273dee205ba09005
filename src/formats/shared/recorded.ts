/** What recordings say of usage and time, in the spellings of the providers. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { NO_USAGE } from '../../transcript/usage.js';

/**
 * OpenAI, and who follows it: `prompt_tokens` holds what was read from the cache, `completion_tokens` the reasoning.
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function chatUsage(usage: JsonNode | undefined): Usage | undefined {
  return inclusive(usage, ['prompt_tokens', 'completion_tokens', 'prompt_tokens_details', 'completion_tokens_details']);
}

/** OpenAI Responses: the same with other names. https://platform.openai.com/docs/api-reference/responses/object */
export function responsesUsage(usage: JsonNode | undefined): Usage | undefined {
  return inclusive(usage, ['input_tokens', 'output_tokens', 'input_tokens_details', 'output_tokens_details']);
}

/** Input that holds what was read from the cache, output that holds the reasoning. */
function inclusive(
  usage: JsonNode | undefined,
  [prompt, completion, promptDetails, completionDetails]: readonly [string, string, string, string],
): Usage | undefined {
  return usageOfWhole(tokens(usage, prompt), tokens(usage, completion), {
    cacheRead: tokens(usage?.get(promptDetails), 'cached_tokens'),
    reasoning: tokens(usage?.get(completionDetails), 'reasoning_tokens'),
  });
}

/**
 * Anthropic: `input_tokens` is only what no cache had to do with; what was written to one is split by how long it lives, where the
 * provider says so. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export function anthropicUsage(usage: JsonNode | undefined): Usage | undefined {
  if (tokens(usage, 'input_tokens') === undefined && tokens(usage, 'output_tokens') === undefined) return undefined;
  const split = usage?.get('cache_creation');
  const written = tokens(usage, 'cache_creation_input_tokens') ?? 0;
  const cacheWrite1h = tokens(split, 'ephemeral_1h_input_tokens') ?? 0;
  return usageOf({
    input: tokens(usage, 'input_tokens') ?? 0,
    cacheRead: tokens(usage, 'cache_read_input_tokens') ?? 0,
    cacheWrite5m: tokens(split, 'ephemeral_5m_input_tokens') ?? Math.max(0, written - cacheWrite1h),
    cacheWrite1h,
    output: tokens(usage, 'output_tokens') ?? 0,
  });
}

/** Whole numbers that are there; figures that are not are 0. */
export function usageOf(figures: Partial<Usage>): Usage {
  return { ...NO_USAGE, ...figures };
}

type OtherFigures = Partial<Pick<Usage, 'cacheRead' | 'cacheWrite5m' | 'reasoning'>>;

/** The prompt holds what was read from a cache and written to one. Undefined where neither it nor the output was counted. */
export function usageOfWhole(
  prompt: number | undefined,
  output: number | undefined,
  others: OtherFigures = {},
): Usage | undefined {
  const { cacheRead = 0, cacheWrite5m = 0 } = others;
  return usageOfParts(
    prompt === undefined ? undefined : Math.max(0, prompt - cacheRead - cacheWrite5m),
    output,
    others,
  );
}

/** The input is only what no cache had to do with. Undefined where neither it nor the output was counted. */
export function usageOfParts(
  input: number | undefined,
  output: number | undefined,
  { cacheRead = 0, cacheWrite5m = 0, reasoning = 0 }: OtherFigures = {},
): Usage | undefined {
  return input === undefined && output === undefined
    ? undefined
    : usageOf({ input: input ?? 0, cacheRead, cacheWrite5m, output: output ?? 0, reasoning });
}

/** A sum of money as it is spelled; undefined where there is none. */
export function costOf(cost: JsonNode | undefined): string | undefined {
  const number = cost?.number;
  return number === undefined || !Number.isFinite(number) || /e[+-]?\d{3}/i.test(cost!.text) ? undefined : cost!.text;
}

/** The same of a member. */
export function costIn(node: JsonNode | undefined, key: string): string | undefined {
  return costOf(node?.get(key));
}

/** A count of tokens; undefined where there is none. */
export function tokens(node: JsonNode | undefined, key: string): number | undefined {
  const count = node?.get(key)?.number;
  return isCount(count) ? count : undefined;
}

/** Whether a figure can be one of tokens. */
export function isCount(count: number | undefined): count is number {
  return Number.isSafeInteger(count) && count! >= 0;
}

/** A point in time as milliseconds since 1970: ISO 8601 text, or a number of seconds or milliseconds. */
export function timeOf(node: JsonNode | undefined): number | undefined {
  if (node?.isString) {
    const time = Date.parse(node.text);
    return Number.isNaN(time) ? undefined : time;
  }
  const number = node?.number;
  if (number === undefined || number <= 0) return undefined;
  return inTime(Math.round(number < MILLISECONDS ? number * 1000 : number));
}

/** The last moment that a date can be, in the year 275760. */
const LAST = 8.64e15;

/** A number of milliseconds, where it is one of a date. */
export function inTime(time: number): number | undefined {
  return time <= LAST ? time : undefined;
}

/** Seconds reach it in the year 5138, milliseconds had in 1973. */
const MILLISECONDS = 1e11;

/** What a response of a provider says of itself, in the shape that OpenAI, Anthropic and most others share. */
export function responseOf(response: JsonNode | undefined, usage: Usage | undefined): Recorded | undefined {
  if (response === undefined || usage === undefined) return undefined;
  return {
    responseId: response.get('id')?.string,
    model: response.get('model')?.string,
    time: timeOf(response.get('created') ?? response.get('created_at')),
    usage,
  };
}

/** Nothing, where nothing is recorded. */
export function recordedOf(found: Recorded): Recorded | undefined {
  return Object.values(found).some((value) => value !== undefined) ? found : undefined;
}
