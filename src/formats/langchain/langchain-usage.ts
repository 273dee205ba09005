/** What LangChain messages say of the request behind them: in the figures of LangChain itself, or of the provider. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { optionalString } from '../shared/json-fields.js';
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
} from '../shared/recorded.js';

/** Of the message of a model, what its `response_metadata` and `usage_metadata` say. */
export function recordedIn(fields: JsonNode): Recorded | undefined {
  const response = fields.get('response_metadata');
  return recordedOf({
    responseId: response?.get('id')?.string ?? fields.get('id')?.string,
    model: modelOf(fields),
    time: timeOf(response?.get('created_at') ?? response?.get('created')),
    usage: langchainUsage(fields.get('usage_metadata')) ?? providerUsage(response),
    cost: costField(response?.get('token_usage'), 'cost'),
  });
}

/** Streamed pieces are joined by adding strings up, so that a name may be there twice. */
export function modelOf(fields: JsonNode): string | undefined {
  const response = fields.get('response_metadata');
  const name = ['model_name', 'model', 'model_id']
    .map((key) => response && optionalString(response, key))
    .find((found) => found);
  const half = name?.slice(0, name.length / 2);
  return name !== undefined && half !== '' && name === `${half}${half}` ? half : name;
}

/**
 * LangChain's own figures: the input holds what was read from a cache and written to one. Some integrations say how long it lives
 * instead of how much it is, or leave it out of the input. https://python.langchain.com/api_reference/core/messages/langchain_core.messages.ai.UsageMetadata.html
 */
function langchainUsage(usage: JsonNode | undefined): Usage | undefined {
  const total = tokens(usage, 'input_tokens');
  const output = tokens(usage, 'output_tokens');
  if (total === undefined && output === undefined) return undefined;
  const details = usage?.get('input_token_details');
  const cacheRead = tokens(details, 'cache_read') ?? 0;
  const cacheWrite1h = tokens(details, 'ephemeral_1h_input_tokens') ?? 0;
  const written = Math.max(
    tokens(details, 'cache_creation') ?? 0,
    (tokens(details, 'ephemeral_5m_input_tokens') ?? 0) + cacheWrite1h,
  );
  const cached = cacheRead + written;
  const input = total ?? 0;
  return usageOf({
    input: input >= cached ? input - cached : input,
    cacheRead,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: output ?? 0,
    reasoning: tokens(usage?.get('output_token_details'), 'reasoning') ?? 0,
  });
}

/** The provider's figures, of the time before LangChain had its own. */
function providerUsage(response: JsonNode | undefined): Usage | undefined {
  const usage = response?.get('token_usage') ?? response?.get('usage');
  return (
    chatUsage(usage) ??
    (usage?.get('input_tokens_details') === undefined ? anthropicUsage(usage) : responsesUsage(usage)) ??
    camelUsage(response?.get('tokenUsage'))
  );
}

/** LangChain.js in its first versions. */
function camelUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageFromUncached(tokens(usage, 'promptTokens'), tokens(usage, 'completionTokens'));
}
