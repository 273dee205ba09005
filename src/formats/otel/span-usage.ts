/** What the attributes of a span record about its request. */
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { billingOf, tierNamed } from '../shared/billing.js';
import { withMedia } from '../shared/media-tokens.js';
import { isCount, costText as parseCost, recordedOf, timeOf, usageFromTotals, validTime } from '../shared/recorded.js';
import type { Span } from './attributes.js';

/** Attributes with the model's name, that of the response first. */
const MODEL_KEYS = commaList(`
  gen_ai.response.model, llm.response.model_name, llm.model_name, ai.response.model, gen_ai.request.model, ai.model.id,
  llm.request.model_name
`);

/** The model of a span's request. */
export function modelOf(span: Span): string | undefined {
  return textIn(span, MODEL_KEYS);
}

/** What a span and its events record about its request. */
export function recordedIn(span: Span): Recorded | undefined {
  const responseId = textIn(span, ['gen_ai.response.id', 'ai.response.id']);
  const usage = spanUsage(span);
  const tier = textIn(span, ['gen_ai.openai.response.service_tier', 'openai.response.service_tier']);
  return recordedOf({
    responseId,
    requestId: responseId ? undefined : span.id,
    sessionId: textIn(span, ['session.id', 'gen_ai.conversation.id']),
    model: modelOf(span),
    time: span.time,
    usage,
    cost: parseCost(attributeIn(span, 'llm.cost.total') ?? attributeIn(span, 'gen_ai.usage.cost')),
    billing: usage && billingOf({ tier: tierNamed(tier) }),
    failed: span.isError || undefined,
  });
}

function attributeIn({ details }: Span, key: string): JsonNode | undefined {
  for (const attributes of details) {
    const found = attributes.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first of these attributes that is a string. */
function textIn(span: Span, keys: readonly string[]): string | undefined {
  return keys.map((key) => attributeIn(span, key)?.string).find((text) => text !== undefined);
}

/** Attributes with each figure, the current name first. */
const USAGE_KEYS = {
  prompt: commaList(`
    gen_ai.usage.input_tokens, llm.token_count.prompt, gen_ai.usage.prompt_tokens, llm.usage.prompt_tokens,
    ai.usage.promptTokens
  `),
  output: commaList(`
    gen_ai.usage.output_tokens, llm.token_count.completion, gen_ai.usage.completion_tokens,
    llm.usage.completion_tokens, ai.usage.completionTokens
  `),
  cacheRead: commaList(`
    gen_ai.usage.cache_read.input_tokens, llm.token_count.prompt_details.cache_read,
    gen_ai.usage.cache_read_input_tokens, gen_ai.usage.details.cache_read_tokens, ai.usage.cachedInputTokens
  `),
  cacheWrite: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_write.input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
  ],
  reasoning: commaList(`
    gen_ai.usage.reasoning.output_tokens, llm.token_count.completion_details.reasoning, gen_ai.usage.reasoning_tokens,
    gen_ai.usage.details.reasoning_tokens, ai.usage.reasoningTokens
  `),
} as const;

/**
 * In all conventions, input includes cached tokens.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
function spanUsage(span: Span): Usage | undefined {
  const figure = (keys: readonly string[]) => keys.map((key) => attributeIn(span, key)?.number).find(isCount);
  const read = usageFromTotals(figure(USAGE_KEYS.prompt), figure(USAGE_KEYS.output), {
    cacheRead: figure(USAGE_KEYS.cacheRead),
    cacheWrite5m: figure(USAGE_KEYS.cacheWrite),
    reasoning: figure(USAGE_KEYS.reasoning),
  });
  const [sent, received] = [AUDIO_KEYS.prompt, AUDIO_KEYS.output].map((key) => figure([key]) ?? 0);
  if (read === undefined || sent! + received! === 0) return read;
  return withMedia(read, (name) => (name === 'Audio' ? [sent, undefined, received] : [0, 0, 0]));
}

/** https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html */
const AUDIO_KEYS = {
  prompt: 'llm.token_count.prompt_details.audio',
  output: 'llm.token_count.completion_details.audio',
};

/** A time in milliseconds since 1970: from OTLP's nanoseconds in a string, or any spelling that `timeOf` reads. */
export function spanTime(node: JsonNode | undefined): number | undefined {
  const nanoseconds = /^\d{16,}$/.exec(node?.text ?? '')?.[0];
  return nanoseconds === undefined ? timeOf(node) : validTime(Math.floor(Number(nanoseconds) / 1e6));
}
