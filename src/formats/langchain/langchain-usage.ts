/** What LangChain messages record about their request: usage in LangChain's own figures, or in the provider's. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { anthropicBilling, openaiBilling } from '../shared/billing.js';
import { optionalString } from '../shared/json-fields.js';
import { withMedia } from '../shared/media-tokens.js';
import {
  anthropicUsage,
  chatUsage,
  costField,
  recordedOf,
  responsesUsage,
  timeOf,
  tokens,
  usageFromUncached,
  usageOf,
  wholeOutput,
} from '../shared/recorded.js';

/** What the `response_metadata` and `usage_metadata` of an assistant's message record. */
export function recordedIn(fields: JsonNode): Recorded | undefined {
  const response = fields.get('response_metadata');
  const id = fields.get('id')?.string;
  const responseId = response?.get('id')?.string ?? id;
  return recordedOf({
    responseId,
    requestId: id === responseId ? undefined : id,
    model: modelOf(fields),
    time: timeOf(response?.get('created_at') ?? response?.get('created')),
    usage: langchainUsage(fields.get('usage_metadata')) ?? providerUsage(response),
    cost: costField(response?.get('token_usage'), 'cost'),
    billing: openaiBilling(response) ?? anthropicBilling(response?.get('usage')),
  });
}

/** The model's name, once: streamed pieces are joined by concatenating strings, which may double it. */
export function modelOf(fields: JsonNode): string | undefined {
  const response = fields.get('response_metadata');
  const name = ['model_name', 'model', 'model_id']
    .map((key) => response && optionalString(response, key))
    .find((found) => found);
  const half = name?.slice(0, name.length / 2);
  return name !== undefined && half !== '' && name === `${half}${half}` ? half : name;
}

/**
 * LangChain's own figures. The input includes cache reads and writes, but some integrations leave these out, or count
 * cache writes only by lifetime.
 * https://python.langchain.com/api_reference/core/messages/langchain_core.messages.ai.UsageMetadata.html
 */
export function langchainUsage(usage: JsonNode | undefined): Usage | undefined {
  const total = tokens(usage, 'input_tokens');
  const output = tokens(usage, 'output_tokens');
  if (total === undefined && output === undefined) return undefined;
  const details = usage?.get('input_token_details');
  const cacheRead = tokens(details, 'cache_read') ?? 0;
  const cacheWrite1h = tokens(details, 'ephemeral_1h_input_tokens') ?? 0;
  const cacheWrite = Math.max(
    tokens(details, 'cache_creation') ?? 0,
    (tokens(details, 'ephemeral_5m_input_tokens') ?? 0) + cacheWrite1h,
  );
  const cached = cacheRead + cacheWrite;
  const input = total ?? 0;
  const outputDetails = usage?.get('output_token_details');
  const reasoning = tokens(outputDetails, 'reasoning') ?? 0;
  const read = usageOf({
    input: input >= cached ? input - cached : input,
    cacheRead,
    cacheWrite5m: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    output: wholeOutput(output ?? 0, input, reasoning, tokens(usage, 'total_tokens')),
    reasoning,
  });
  if (!HAS_MEDIA.test(`${details?.text}${outputDetails?.text}`)) return read;
  return withMedia(read, (name) => {
    const key = name.toLowerCase();
    return [tokens(details, key), undefined, tokens(outputDetails, key)];
  });
}

/** In the JSON of details: tokens of audio, images or video. */
const HAS_MEDIA = /"(?:audio|image|video)"\s*:\s*[1-9]/;

/** The provider's figures, from before LangChain had its own. */
function providerUsage(response: JsonNode | undefined): Usage | undefined {
  const usage = response?.get('token_usage') ?? response?.get('usage');
  return (
    chatUsage(usage) ??
    (usage?.get('input_tokens_details') === undefined ? anthropicUsage(usage) : responsesUsage(usage)) ??
    camelUsage(response?.get('tokenUsage'))
  );
}

/** The figures of the first versions of LangChain.js. */
function camelUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageFromUncached(tokens(usage, 'promptTokens'), tokens(usage, 'completionTokens'));
}
