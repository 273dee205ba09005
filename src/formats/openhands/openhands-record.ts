/** What an OpenHands output records about a run, and about the requests behind its events. */
import { type JsonNode, parse } from '../../json/node.js';
import { onceFor } from '../../once.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Description } from '../format.js';
import {
  chatUsage,
  costField,
  costText as parseCost,
  recordedOf,
  timeOf,
  tokens,
  usageFromTotals,
} from '../shared/recorded.js';
import { idIn, kindOf, RESPONSE_METADATA, roleOf } from './openhands-events.js';

/** The id of the task, the model it was run with, and the tools that the system event lists. */
export function describe(record: JsonNode): Description {
  const config = record.get('metadata')?.get('llm_config');
  const system = (record.get('history') ?? record.get('trajectory'))
    ?.items()
    .find((event) => event.get('action')?.string === 'system');
  const tools = system?.get('args')?.get('tools');
  const total = totalIn(record.get('metrics'));
  return {
    id: idIn(record, 'instance_id') ?? issueName(record.get('issue')),
    model: config?.get('model')?.string,
    tools: tools?.isArray ? tools : undefined,
    ...(total === undefined ? {} : { others: [total] }),
  };
}

/** The totals of a run. */
function totalIn(metrics: JsonNode | undefined): Recorded | undefined {
  const runningCost = costField(metrics, 'accumulated_cost');
  const running = metricsUsage(metrics?.get('accumulated_token_usage'));
  return recordedOf({ running, runningCost, runningRequests: metrics?.get('costs')?.length || undefined });
}

function issueName(issue: JsonNode | undefined): string | undefined {
  const [owner, repo, number] = ['owner', 'repo', 'number'].map((key) => issue?.get(key));
  return owner?.isString && repo?.isString && number ? `${owner.text}/${repo.text}#${number.text}` : undefined;
}

/** The response behind an event, with its usage from there or from the record's metrics, and its cost. */
export function recorded(raw: JsonNode, record?: JsonNode): Recorded | undefined {
  const response = raw.get(RESPONSE_METADATA)?.get('model_response');
  const responseId = response?.get('id')?.string;
  const counted = record && responseId !== undefined ? requestsOf(record).usages.get(responseId) : undefined;
  const running = metricsUsage(raw.get('llm_metrics')?.get('accumulated_token_usage'));
  const model = (response?.get('model') ?? counted?.get('model'))?.string;
  const event = { responseId, model, time: timeIn(raw), running };
  if (!isRequest(raw)) return recordedOf(event);
  return recordedOf({
    ...event,
    usage: chatUsage(response?.get('usage'), event.model) ?? metricsUsage(counted),
    cost: record && eventCost(raw, record),
  });
}

/** Whether a request to the model produced the event. */
function isRequest(event: JsonNode): boolean {
  if (event.get('action') === undefined) return false;
  const kind = kindOf(event);
  return kind === 'call' || (kind === 'speech' && roleOf(event) === 'assistant');
}

/** The time of an event. OpenHands writes it without a zone; it is read as UTC, to be the same on every machine. */
export function timeIn(raw: JsonNode): number | undefined {
  const time = raw.get('timestamp');
  return time?.isString && !/(Z|[+-]\d\d:?\d\d)$/.test(time.text)
    ? timeOf(parse(JSON.stringify(`${time.text}Z`)))
    : timeOf(time);
}

/** Prompt tokens include cached ones, unless those are more: agents behind ACP count them apart. */
export function metricsUsage(usage: JsonNode | undefined): Usage | undefined {
  const prompt = tokens(usage, 'prompt_tokens');
  const cacheRead = tokens(usage, 'cache_read_tokens') ?? 0;
  const cacheWrite5m = tokens(usage, 'cache_write_tokens') ?? 0;
  const isApart = prompt !== undefined && prompt < cacheRead;
  return usageFromTotals(isApart ? prompt + cacheRead + cacheWrite5m : prompt, tokens(usage, 'completion_tokens'), {
    cacheRead,
    cacheWrite5m,
    reasoning: tokens(usage, 'reasoning_tokens'),
  });
}

interface Requests {
  /** By the id of their response. */
  readonly usages: ReadonlyMap<string, JsonNode>;
  /** By the place of the event that a request produced. */
  readonly costs: ReadonlyMap<number, JsonNode>;
}

/** What the metrics of a record say of its requests. Costs have no ids: they are assigned only if none is missing. */
const requestsOf = onceFor((record: JsonNode): Requests => {
  const metrics = record.get('metrics');
  const usages = new Map<string, JsonNode>();
  for (const usage of metrics?.get('token_usages')?.items() ?? []) {
    const id = usage.get('response_id')?.string;
    if (id !== undefined && !usages.has(id)) usages.set(id, usage);
  }
  const costs = metrics?.get('costs')?.items() ?? [];
  const requests = costs.length === 0 ? [] : requestEvents(record);
  const areAll = requests.length === costs.length;
  return { usages, costs: new Map(areAll ? requests.map((event, index) => [event.at, costs[index]!]) : []) };
});

/** The events of a record that requests produced: the first of each. */
function requestEvents(record: JsonNode): readonly JsonNode[] {
  const seen = new Set<string>();
  return (record.get('history')?.items() ?? []).filter((event) => {
    if (!isRequest(event)) return false;
    const id = event.get(RESPONSE_METADATA)?.get('model_response')?.get('id')?.string;
    const isFirst = id === undefined || !seen.has(id);
    if (id !== undefined) seen.add(id);
    return isFirst;
  });
}

function eventCost(raw: JsonNode, record: JsonNode): string | undefined {
  const cost = raw.source === record.source ? requestsOf(record).costs.get(raw.at) : undefined;
  return parseCost(cost?.isObject ? cost.get('cost') : cost);
}
