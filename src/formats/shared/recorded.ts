/** Usage, cost and time as recordings state them, in each provider's format. */
import { picodollarsOf } from '../../decimals.js';
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Billing, Recorded, Usage } from '../../transcript/types.js';
import { addUsage, NO_USAGE } from '../../transcript/usage.js';
import { withMedia } from './media-tokens.js';

/**
 * OpenAI and compatible APIs: `prompt_tokens` includes cache reads, `completion_tokens` includes reasoning.
 * Gateways to Gemini and Grok may leave the reasoning out without a detail of it, and `total_tokens` has the rest.
 * https://platform.openai.com/docs/api-reference/chat/object
 * https://github.com/mozilla-ai/any-llm/issues/1290
 */
export function chatUsage(usage: JsonNode | undefined, model = ''): Usage | undefined {
  return inclusiveUsage(usage, ['prompt', 'completion'], /gemini|grok/i.test(model));
}

/** OpenAI Responses: the same under other names. https://platform.openai.com/docs/api-reference/responses/object */
export function responsesUsage(usage: JsonNode | undefined): Usage | undefined {
  return inclusiveUsage(usage, ['input', 'output']);
}

/**
 * Input that includes cache reads and writes, and output that includes reasoning, under these names. Writes are those
 * of LiteLLM and OpenRouter: https://docs.litellm.ai/docs/completion/prompt_caching
 * https://openrouter.ai/docs/guides/best-practices/prompt-caching
 */
function inclusiveUsage(
  usage: JsonNode | undefined,
  [prompt, completion]: readonly [string, string],
  mayHideReasoning = false,
): Usage | undefined {
  const sent = tokens(usage, `${prompt}_tokens`);
  const received = tokens(usage, `${completion}_tokens`);
  if (usage === undefined || (sent === undefined && received === undefined)) return undefined;
  const [input, output] = [sent ?? 0, received ?? 0];
  const details = usage.get(`${prompt}_tokens_details`);
  const outputDetails = usage.get(`${completion}_tokens_details`);
  const split = details?.get('cache_creation_token_details');
  const cacheRead = greatestCount(details, READ_KEYS) ?? greatestCount(usage, READ_KEYS_BESIDE) ?? 0;
  const cacheWrite1h = tokens(split, 'ephemeral_1h_input_tokens') ?? 0;
  const cacheWrite = Math.max(
    greatestCount(details, WRITE_KEYS) ?? tokens(usage, 'cache_creation_input_tokens') ?? 0,
    (tokens(split, 'ephemeral_5m_input_tokens') ?? 0) + cacheWrite1h,
  );
  const reasoning = tokens(outputDetails, 'reasoning_tokens') ?? 0;
  const total = tokens(usage, 'total_tokens') ?? 0;
  const cached = cacheRead + cacheWrite;
  const whole = input < cached ? input + cached : input; // early versions of LiteLLM exclude what was cached
  const hidden = mayHideReasoning && reasoning === 0 ? Math.max(0, total - whole - output) : reasoning;
  const read = usageOf({
    input: whole - cached,
    cacheRead,
    cacheWrite5m: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    output: wholeOutput(output, whole, hidden, total),
    reasoning,
  });
  const hasMedia = [details, outputDetails].some((node) => node?.find(MEDIA_KEYS).some((at) => node.numberAt(at)));
  if (!hasMedia) return read;
  return withMedia(read, (name) => {
    const key = `${name.toLowerCase()}_tokens`;
    return [tokens(details, key), undefined, tokens(outputDetails, key)];
  });
}

const MEDIA_KEYS = new Keys(['audio_tokens', 'image_tokens', 'video_tokens']);

/**
 * The output with its reasoning, which xAI and Gemini leave out of it: the total shows that, where it has each once.
 * https://github.com/vercel/ai/issues/7542 https://github.com/vercel/ai/pull/12425
 * https://github.com/langchain-ai/langchain/pull/34603
 */
export function wholeOutput(output: number, input: number, reasoning: number, total: number | undefined): number {
  return total === input + output + reasoning ? output + reasoning : output;
}

const READ_KEYS = ['cached_tokens'];
/** LiteLLM's name, DeepSeek's and Kimi's. https://api-docs.deepseek.com/guides/kv_cache */
const READ_KEYS_BESIDE = ['cache_read_input_tokens', 'prompt_cache_hit_tokens', 'cached_tokens'];
const WRITE_KEYS = ['cache_write_tokens', 'cache_creation_tokens', 'cache_creation_input_tokens'];

/** The greatest of the token counts under these keys. */
function greatestCount(node: JsonNode | undefined, keys: readonly string[]): number | undefined {
  if (node === undefined) return undefined;
  let found: number | undefined;
  for (const key of keys) {
    const count = tokens(node, key);
    if (count !== undefined && count > (found ?? -1)) found = count;
  }
  return found;
}

/**
 * Anthropic: `input_tokens` excludes cache reads and writes; writes are split by cache lifetime if the response has it.
 * Claude Code writes a split of zeros if it has none: what no lifetime explains was written for five minutes.
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export function anthropicUsage(usage: JsonNode | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const at = usage.find(ANTHROPIC_KEYS);
  const input = countAt(usage, at[ANTHROPIC.input_tokens]!);
  const output = countAt(usage, at[ANTHROPIC.output_tokens]!);
  if (input === undefined && output === undefined) return undefined;
  const written = countAt(usage, at[ANTHROPIC.cache_creation_input_tokens]!) ?? 0;
  const split = usage.nodeAt(at[ANTHROPIC.cache_creation]!);
  const splitAt = split?.find(SPLIT_KEYS);
  const cacheWrite1h = (splitAt && countAt(split!, splitAt[SPLIT.ephemeral_1h_input_tokens]!)) ?? 0;
  const cacheWrite5m = (splitAt && countAt(split!, splitAt[SPLIT.ephemeral_5m_input_tokens]!)) ?? 0;
  return {
    input: input ?? 0,
    cacheRead: countAt(usage, at[ANTHROPIC.cache_read_input_tokens]!) ?? 0,
    cacheWrite5m: Math.max(cacheWrite5m, written - cacheWrite1h),
    cacheWrite1h,
    output: output ?? 0,
    reasoning: 0,
  };
}

const ANTHROPIC = {
  input_tokens: 0,
  output_tokens: 1,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 3,
  cache_creation: 4,
} as const;
const ANTHROPIC_KEYS = new Keys(Object.keys(ANTHROPIC));
const SPLIT = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1 } as const;
const SPLIT_KEYS = new Keys(Object.keys(SPLIT));

/** The token count at a tape index; undefined if absent or invalid. */
function countAt(node: JsonNode, at: number): number | undefined {
  const count = node.numberAt(at);
  return isCount(count) ? count : undefined;
}

/** Fills in 0 for missing figures. */
export function usageOf(figures: Partial<Usage>): Usage {
  return { ...NO_USAGE, ...figures };
}

type OtherFigures = Partial<Pick<Usage, 'cacheRead' | 'cacheWrite5m' | 'reasoning'>>;

/** `prompt` includes cache reads and writes. Undefined if neither prompt nor output is known. */
export function usageFromTotals(
  prompt: number | undefined,
  output: number | undefined,
  others: OtherFigures = {},
): Usage | undefined {
  const { cacheRead = 0, cacheWrite5m = 0 } = others;
  return usageFromUncached(
    prompt === undefined ? undefined : Math.max(0, prompt - cacheRead - cacheWrite5m),
    output,
    others,
  );
}

/** `input` excludes cache reads and writes. Undefined if neither input nor output is known. */
export function usageFromUncached(
  input: number | undefined,
  output: number | undefined,
  { cacheRead = 0, cacheWrite5m = 0, reasoning = 0 }: OtherFigures = {},
): Usage | undefined {
  return input === undefined && output === undefined
    ? undefined
    : usageOf({ input: input ?? 0, cacheRead, cacheWrite5m, output: output ?? 0, reasoning });
}

/** A cost exactly as the recording spells it; undefined if it is not a finite number, or less than nothing. */
export function costText(cost: JsonNode | undefined): string | undefined {
  const number = cost?.number;
  const isCost = number! >= 0 && Number.isFinite(number) && !/e[+-]?\d{3}/i.test(cost!.text);
  return isCost ? cost!.text : undefined;
}

/** Like `costText`, for a member. */
export function costField(node: JsonNode | undefined, key: string): string | undefined {
  return costText(node?.get(key));
}

/** The sum of costs, to 1e-12 US dollars; undefined if none is known. */
export function sumOfCosts(costs: readonly (string | undefined)[]): string | undefined {
  const known = costs.flatMap((cost) => (cost === undefined ? [] : (picodollarsOf(cost) ?? [])));
  return known.length === 0 ? undefined : `${known.reduce((sum, cost) => sum + cost, 0n)}e-12`;
}

/** A token count; undefined if absent or invalid. */
export function tokens(node: JsonNode | undefined, key: string): number | undefined {
  const count = node?.get(key)?.number;
  return isCount(count) ? count : undefined;
}

/** Whether a number is a valid token count. */
export function isCount(count: number | undefined): count is number {
  return Number.isSafeInteger(count) && count! >= 0;
}

/** A time in milliseconds since 1970, from ISO 8601 text, or a number of seconds up to nanoseconds. */
export function timeOf(node: JsonNode | undefined): number | undefined {
  if (node?.isString) return validTime(Date.parse(node.text));
  let time = (node?.number ?? 0) * 1000;
  for (let smaller = 0; smaller < 3 && time >= LATEST; smaller++) time /= 1000;
  return validTime(Math.round(time));
}

/**
 * The time, if it is one from 1970 to 5138: no recording is older, its first second stands for no time, and so does
 * `0001-01-01T00:00:00Z` in Go (https://pkg.go.dev/time#Time.IsZero, 2026-11-30).
 */
export function validTime(time: number): number | undefined {
  return time > 0 && time < LATEST ? time : undefined;
}

/** The year 5138. A larger number counts something smaller than milliseconds, which reached 1e11 in 1973. */
const LATEST = 1e14;

/**
 * Metadata of a response in the shape shared by OpenAI, Anthropic and most others. Servers that repeat response ids,
 * such as Ollama, state when they created the response.
 */
export function responseInfo(
  response: JsonNode | undefined,
  usage: Usage | undefined,
  billing: Billing | undefined,
): Recorded | undefined {
  if (response === undefined || usage === undefined) return undefined;
  const created = response.get('created') ?? response.get('created_at');
  const responseId = response.get('id')?.string;
  return {
    responseId,
    requestId: responseId === '' ? undefined : created?.text,
    model: response.get('model')?.string,
    time: timeOf(created),
    usage,
    billing,
  };
}

/** The totals of a session from those by model; without usage if no model has one. */
export function totalOfModels(models: readonly Recorded[]): Recorded {
  const usages = models.flatMap(({ running }) => running ?? []);
  if (usages.length === 0) return {};
  const counts = models.flatMap(({ runningRequests }) => runningRequests ?? []);
  return {
    running: usages.reduce(addUsage),
    runningCost: sumOfCosts(models.map(({ runningCost }) => runningCost)),
    runningRequests: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0),
    byModel: models,
  };
}

/** Whether all figures are 0, as logs write for a request that failed. */
export function isEmpty({ input, cacheRead, cacheWrite5m, cacheWrite1h, output }: Usage): boolean {
  return input + cacheRead + cacheWrite5m + cacheWrite1h + output === 0;
}

/** Undefined if no field is known. */
export function recordedOf(found: Recorded): Recorded | undefined {
  return Object.values(found).some((value) => value !== undefined) ? found : undefined;
}
