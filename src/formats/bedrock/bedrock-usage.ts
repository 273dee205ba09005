/** Usage in responses and invocation logs of Amazon Bedrock. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { billingOf, tierNamed } from '../shared/billing.js';
import { callReply } from '../shared/call-reply.js';
import { timeOf, tokens, usageOf } from '../shared/recorded.js';

/** Usage of the response in a record: its body alone, next to its request, in an invocation log. */
export function replyIn(record: JsonNode, model: string | undefined): Recorded | undefined {
  const logged = record.get('output')?.get('outputBodyJson');
  const read = (held: JsonNode): Recorded | undefined => {
    const response = held.get('usage') === undefined ? logged : held;
    const usage = converseUsage(response?.get('usage')) ?? loggedUsage(record);
    const requestId = record.get('requestId') ?? held.get('ResponseMetadata')?.get('RequestId');
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ServiceTier.html
    const billing = billingOf({ tier: tierNamed(response?.get('serviceTier')?.get('type')?.string) });
    return usage && { usage, requestId: requestId?.string, model, time: timeOf(record.get('timestamp')), billing };
  };
  return callReply(record, read) ?? read(record); // the log of a stream has a list of its events
}

/**
 * Usage of a response; input excludes cache reads and writes.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export function converseUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageIn(usage, usage, {
    input: 'inputTokens',
    output: 'outputTokens',
    read: 'cacheReadInputTokens',
    write: 'cacheWriteInputTokens',
  });
}

/** Usage in an invocation log, which states it even if it does not log the bodies. */
function loggedUsage(record: JsonNode): Usage | undefined {
  return usageIn(record.get('input'), record.get('output'), {
    input: 'inputTokenCount',
    output: 'outputTokenCount',
    read: 'cacheReadInputTokenCount',
    write: 'cacheWriteInputTokenCount',
  });
}

function usageIn(
  input: JsonNode | undefined,
  output: JsonNode | undefined,
  keys: Readonly<Record<'input' | 'output' | 'read' | 'write', string>>,
): Usage | undefined {
  if (tokens(input, keys.input) === undefined && tokens(output, keys.output) === undefined) return undefined;
  const hour = input
    ?.get('cacheDetails')
    ?.items()
    .find((detail) => detail.get('ttl')?.string === '1h');
  const written = tokens(input, keys.write) ?? 0;
  const cacheWrite1h = Math.min(written, tokens(hour, 'inputTokens') ?? 0);
  return usageOf({
    input: tokens(input, keys.input) ?? 0,
    cacheRead: tokens(input, keys.read) ?? 0,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: tokens(output, keys.output) ?? 0,
  });
}
