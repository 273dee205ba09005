/** What the OpenHands SDK records of a conversation and its requests: in its state, beside events or among them. */
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { onceFor } from '../../once.js';
import type { Recorded } from '../../transcript/types.js';
import { addUsage } from '../../transcript/usage.js';
import type { Description } from '../format.js';
import { costField, isEmpty, recordedOf, sumOfCosts, totalOfModels } from '../shared/recorded.js';
import { metricsUsage, timeIn } from './openhands-record.js';

/** Of a benchmark's output, or of the state with its events (`base_state.json`). */
export function describe(record: JsonNode, list?: JsonNode): Description {
  const total = recordedOf(totalOfModels(totalsIn(record)));
  const prompt = list?.items().find((event) => event.get('kind')?.string === 'SystemPromptEvent');
  return {
    ...stateIn(record),
    ...(prompt === undefined ? {} : { tools: prompt.get('tools') }),
    ...(total === undefined ? {} : { others: [total] }),
  };
}

/** Of the lines of a log: the system prompt has the tools, and a state the rest. */
export function headerOf(event: JsonNode): Description {
  const kind = event.get('kind')?.string;
  if (kind === 'SystemPromptEvent') return { tools: event.get('tools') };
  const value = kind === 'ConversationStateUpdateEvent' ? event.get('value') : undefined;
  return event.get('key')?.string === 'full_state' && value?.isObject ? stateIn(value) : {};
}

function stateIn(state: JsonNode): Description {
  const metadata = state.get('metadata');
  const llm = state.get('agent')?.get('llm') ?? metadata?.get('llm') ?? metadata?.get('llm_config');
  return {
    id: (state.get('instance_id') ?? state.get('id'))?.string,
    model: llm?.get('model')?.string,
    project: state.get('workspace')?.get('working_dir')?.string,
  };
}

/** The time of an event; with the metrics around it, what its request used. */
export function recorded(event: JsonNode, record?: JsonNode): Recorded | undefined {
  const time = timeIn(event);
  const responseId = event.get('llm_response_id')?.string;
  if (responseId !== undefined) {
    const counted = record && requestsIn(record).get(responseId);
    return recordedOf({ responseId, time, model: counted?.get('model')?.string, usage: metricsUsage(counted) });
  }
  const value = event.get('kind')?.string === 'ConversationStateUpdateEvent' ? event.get('value') : undefined;
  return recordedOf({ time, ...(value?.isObject ? totalOfModels(totalsIn(value)) : {}) });
}

/** The metrics of each use of a model: of the agent, of condensations. */
function metricsIn(holder: JsonNode): readonly JsonNode[] {
  const uses = holder.get('usage_to_metrics') ?? holder.get('stats')?.get('usage_to_metrics');
  const metrics = uses?.members().map(({ value }) => value) ?? [holder.get('metrics')];
  return metrics.filter((one) => one?.isObject === true) as JsonNode[];
}

function totalsIn(holder: JsonNode): Recorded[] {
  const byModel = new Map<string | undefined, Recorded[]>();
  for (const metrics of metricsIn(holder)) {
    const running = metricsUsage(metrics.get('accumulated_token_usage'));
    if (running === undefined || isEmpty(running)) continue;
    const model = metrics.get('model_name')?.string;
    const runningCost = costField(metrics, 'accumulated_cost');
    const runningRequests = metrics.get('token_usages')?.length || undefined;
    listIn(byModel, model).push({ model, running, runningCost, runningRequests });
  }
  return [...byModel.values()].map((uses) => uses.reduce(sumOf));
}

function sumOf(one: Recorded, other: Recorded): Recorded {
  const requests = (one.runningRequests ?? 0) + (other.runningRequests ?? 0);
  return {
    model: one.model,
    running: addUsage(one.running!, other.running!),
    runningCost: sumOfCosts([one.runningCost, other.runningCost]),
    runningRequests: requests || undefined,
  };
}

/** The usage of each request by the id of its response. */
const requestsIn = onceFor((record: JsonNode): ReadonlyMap<string, JsonNode> => {
  const usages = metricsIn(record).flatMap((metrics) => metrics.get('token_usages')?.items() ?? []);
  return new Map(usages.map((usage) => [usage.get('response_id')?.string ?? '', usage]));
});
