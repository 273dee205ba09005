/** What the record of a request states: its usage, cost, model and time. */
import { type JsonNode, parse } from '../../json/node.js';
import type { Billing, Recorded, Usage } from '../../transcript/types.js';
import type { ApiCallShape, UsagePaths } from './api-call-shapes.js';
import { type ApiCall, callIn, factAt, firstAt, textAt, valueAt } from './api-calls.js';
import { openaiBilling } from './billing.js';
import {
  chatUsage,
  costText,
  isCount,
  recordedOf,
  responseInfo,
  timeOf,
  usageFromTotals,
  usageFromUncached,
} from './recorded.js';

/** What the record of a call states. `read` reads the body of a response. */
export function callFacts(
  record: JsonNode,
  { shape, id, response }: ApiCall,
  read: (response: JsonNode) => Recorded | undefined,
): Recorded | undefined {
  const found = response?.isObject ? read(response) : undefined;
  const usage = found?.usage ?? usageAt(record, shape.usage);
  const reply = found ?? { responseId: shape.usage && id };
  const failed = hasFailed(record, shape);
  if (failed && (usage === undefined || isEmpty(usage))) return { failed };
  if (usage === undefined) return found;
  return recordedOf({
    ...reply,
    usage,
    model: found?.model ?? textAt(record, shape.model)?.replace(ARN, ''),
    time: found?.time ?? zonedTime(firstAt(record, shape.time)),
    sessionId: found?.sessionId ?? textAt(record, shape.session),
    cost: found?.cost ?? costText(firstAt(record, shape.cost)),
    billing: billingOf(found?.billing, shape),
    ...(failed ? { failed } : {}),
  });
}

/** In front of the name of a model of Amazon Bedrock. */
const ARN = /^arn:.*\//;

/** The response states a tier only if it is not the standard one, so the file's tier holds unless it does. */
function billingOf(stated: Billing | undefined, { tier }: ApiCallShape): Billing | undefined {
  return tier === undefined || stated?.tier !== undefined ? stated : { ...stated, tier };
}

function isEmpty(usage: Usage): boolean {
  return Object.values(usage).every((count) => count === 0);
}

function hasFailed(record: JsonNode, { error = [], status }: ApiCallShape): boolean {
  if (firstAt(record, error) !== undefined) return true;
  const stated = status && valueAt(record, status.path);
  if (stated === undefined || stated.isNull) return false;
  if (stated.number !== undefined) return stated.number >= 400;
  return status?.success !== undefined && stated.text !== status.success;
}

function usageAt(record: JsonNode, paths: UsagePaths | undefined): Usage | undefined {
  if (paths === undefined) return undefined;
  const count = (path: string | undefined) => {
    const number = path === undefined ? undefined : factAt(record, path)?.number;
    return isCount(number) ? number : undefined;
  };
  return (paths.isUncached ? usageFromUncached : usageFromTotals)(count(paths.prompt), count(paths.output), {
    cacheRead: count(paths.cacheRead),
    cacheWrite5m: count(paths.cacheWrite),
    reasoning: count(paths.reasoning),
  });
}

/** A time, in UTC if the text has no zone. */
function zonedTime(node: JsonNode | undefined): number | undefined {
  return node?.isString && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(node.text)
    ? timeOf(parse(JSON.stringify(`${node.text.replace(' ', 'T')}Z`)))
    : timeOf(node);
}

/**
 * What a line of a batch file or of a gateway's log states of its request: from the response if that is of OpenAI's
 * kind, as one with embeddings is, else from the line itself.
 */
export function messagelessReply(record: JsonNode): Recorded | undefined {
  const call = callIn(record);
  if (call === undefined || (call.shape.tier ?? call.shape.usage) === undefined) return undefined;
  const reply = callFacts(record, call, (response) =>
    responseInfo(response, chatUsage(response.get('usage'), response.get('model')?.string), openaiBilling(response)),
  );
  return reply === undefined || (reply.usage === undefined && !reply.failed) ? undefined : reply;
}
