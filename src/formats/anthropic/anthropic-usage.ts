/** What messages and responses of Anthropic's API record about their request, and messages of Cline. */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { callIn } from '../shared/api-calls.js';
import { anthropicBilling } from '../shared/billing.js';
import { callReply } from '../shared/call-reply.js';
import { costField, recordedOf, responseInfo, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { withIterations } from './iterations.js';

/** The model name of messages that Claude Code writes itself. They cost nothing. */
export const NO_MODEL = '<synthetic>';

/** What a message records: one of the API, or of a Cline session. `record`: the record around it. */
export function recordedIn(raw: JsonNode, record?: JsonNode): Recorded | undefined {
  const isReply = raw.get('usage') !== undefined && record !== undefined && callIn(record)?.response?.is(raw);
  if (isReply) return raw.get('content') === undefined ? undefined : replyIn(record); // else the transcript's reply
  const model = raw.get('model')?.string;
  const { usage, beside } = withIterations(raw.get('usage'), model);
  const metrics = raw.get('metrics');
  return recordedOf({
    responseId: usage === undefined && metrics === undefined ? undefined : raw.get('id')?.string,
    model: model ?? modelInfo(raw),
    time: timeOf(raw.get('ts')),
    usage: usage ?? clineUsage(metrics),
    beside,
    cost: costField(metrics, 'cost'),
    billing: anthropicBilling(raw.get('usage')),
  });
}

/** What the response in a record states. */
export function replyIn(record: JsonNode): Recorded | undefined {
  return callReply(record, (response) => {
    const usage = response.get('usage');
    const paid = withIterations(usage, response.get('model')?.string);
    const info = responseInfo(response, paid.usage, anthropicBilling(usage));
    return info && { ...info, beside: paid.beside };
  });
}

/** The model of a message in a Cline session. */
export function modelInfo(raw: JsonNode | undefined): string | undefined {
  return raw?.get('modelInfo')?.get('id')?.string;
}

/** The usage of a message in a Cline session: input includes cache reads and writes. */
function clineUsage(metrics: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(metrics, 'inputTokens'), tokens(metrics, 'outputTokens'), {
    cacheRead: tokens(metrics, 'cacheReadTokens'),
    cacheWrite5m: tokens(metrics, 'cacheWriteTokens'),
  });
}
