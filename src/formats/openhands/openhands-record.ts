/** What an OpenHands output says of a run, and of the requests behind its events. */
import { type JsonNode, parse } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Description } from '../format.js';
import { costText, recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { idIn, kindOf, META, speaker } from './openhands-events.js';

/** The id of the task, the model it was run with, and the tools that the system event lists. */
export function describe(record: JsonNode): Description {
  const issue = record.get('issue');
  const named =
    issue?.get('number') === undefined
      ? undefined
      : `${issue.get('owner')?.string}/${issue.get('repo')?.string}#${issue.get('number')!.text}`;
  const config = record.get('metadata')?.get('llm_config');
  const system = (record.get('history') ?? record.get('trajectory'))
    ?.items()
    .find((event) => event.get('action')?.string === 'system');
  const tools = system?.get('args')?.get('tools');
  return {
    id: idIn(record, 'instance_id') ?? named,
    model: config?.get('model')?.string,
    tools: tools?.isArray ? tools : undefined,
  };
}

/** The response behind an event, its usage there or in the metrics; costs stand in a list, one for each request in order. */
export function recorded(raw: JsonNode, record?: JsonNode): Recorded | undefined {
  const response = raw.get(META)?.get('model_response');
  const responseId = response?.get('id')?.string;
  const metrics = record?.get('metrics');
  const counted = metrics
    ?.get('token_usages')
    ?.items()
    .find((usage) => responseId !== undefined && usage.get('response_id')?.string === responseId);
  const isRequest =
    raw.get('action') !== undefined &&
    (kindOf(raw) === 'call' || (kindOf(raw) === 'speech' && speaker(raw) === 'assistant'));
  return recordedOf({
    responseId,
    model: response?.get('model')?.string,
    time: timeIn(raw),
    ...(isRequest
      ? {
          usage: responseUsage(response?.get('usage')) ?? metricsUsage(counted),
          cost: record && costOfEvent(raw, record),
        }
      : {}),
    running: metricsUsage(raw.get('llm_metrics')?.get('accumulated_token_usage')),
  });
}

/** Times are written without a zone: they are taken for UTC, to be the same everywhere. */
function timeIn(raw: JsonNode): number | undefined {
  const time = raw.get('timestamp');
  return time?.isString && !/(Z|[+-]\d\d:?\d\d)$/.test(time.text)
    ? timeOf(parse(JSON.stringify(`${time.text}Z`)))
    : timeOf(time);
}

/** LiteLLM's figures. https://docs.litellm.ai/docs/completion/prompt_caching */
function responseUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(usage, 'prompt_tokens'), tokens(usage, 'completion_tokens'), {
    cacheRead: tokens(usage?.get('prompt_tokens_details'), 'cached_tokens') ?? tokens(usage, 'cache_read_input_tokens'),
    cacheWrite5m: tokens(usage, 'cache_creation_input_tokens'),
    reasoning: tokens(usage?.get('completion_tokens_details'), 'reasoning_tokens'),
  });
}

function metricsUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(usage, 'prompt_tokens'), tokens(usage, 'completion_tokens'), {
    cacheRead: tokens(usage, 'cache_read_tokens'),
    cacheWrite5m: tokens(usage, 'cache_write_tokens'),
  });
}

/** Only where there are as many costs as requests is it known which is whose. */
function costOfEvent(raw: JsonNode, record: JsonNode): string | undefined {
  const costs = record.get('metrics')?.get('costs')?.items() ?? [];
  if (costs.length === 0) return undefined;
  const requests: JsonNode[] = [];
  const seen = new Set<string>();
  for (const event of record.get('history')?.items() ?? []) {
    if (
      event.get('action') === undefined ||
      kindOf(event) === 'record' ||
      (kindOf(event) === 'speech' && speaker(event) !== 'assistant')
    )
      continue;
    const id = event.get(META)?.get('model_response')?.get('id')?.string;
    if (id === undefined || !seen.has(id)) requests.push(event);
    if (id !== undefined) seen.add(id);
  }
  const cost = requests.length === costs.length ? costs[requests.findIndex((event) => event.is(raw))] : undefined;
  return costText(cost?.isObject ? cost.get('cost') : cost);
}
