/** What an Inspect log records about its samples and requests. */
import type { JsonNode } from '../../json/node.js';
import type { JsonSource } from '../../json/strings.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Description } from '../format.js';
import { costField, recordedOf, timeOf, tokens, totalOfModels, usageOf } from '../shared/recorded.js';
import { keysIn } from './inspect-events.js';

/** The sample that holds a value: one of the log's samples, or the record itself if it is a sample. */
export function sampleOf(record: JsonNode, inside: JsonNode | undefined): JsonNode | undefined {
  const samples = record.get('samples');
  if (samples === undefined || inside === undefined) return record.get('messages') === undefined ? undefined : record;
  return samples.items().find((sample) => sample.start <= inside.start && inside.end <= sample.end);
}

/**
 * The sample's name, as in archives; the model that replied last, else the task's model; the tools of the last request.
 */
export function describe(record: JsonNode, list?: JsonNode): Description {
  const sample = sampleOf(record, list);
  const [id, epoch] = [sample?.get('id'), sample?.get('epoch')];
  const models = [sample?.get('output')?.get('model'), record.get('eval')?.get('model')].map((model) => model?.string);
  const events = sample === undefined ? [] : modelEvents(sample);
  return {
    id: id === undefined || id.isNull ? undefined : sampleName(id, epoch),
    model: models.find((model) => model !== undefined && model !== ''),
    tools: events.findLast((event) => (event.get('tools')?.length ?? 0) > 0)?.get('tools'),
    ...(sample === undefined ? {} : { others: othersIn(sample) }),
  };
}

/** Requests whose replies are not among the messages of a sample, such as those of its scorer, and its totals. */
function othersIn(sample: JsonNode): readonly Recorded[] {
  const { messageKey, byKey } = requestsIn(sample);
  const answered = new Set(
    (sample.get('messages')?.items() ?? []).map((message) => byKey.get(messageKey(message))?.at),
  );
  const others = modelEvents(sample).flatMap((event) => {
    const request = answered.has(event.at) ? undefined : requestIn(event);
    return request?.usage === undefined && request?.cost === undefined ? [] : [request];
  });
  const total = totalOfModels(
    (sample.get('model_usage')?.members() ?? []).map(({ key, value }) => ({
      model: modelName(key.text),
      running: inspectUsage(value),
      runningCost: costField(value, 'total_cost'),
    })),
  );
  return total.running === undefined ? others : [...others, total];
}

/** A model without the provider that Inspect writes before it. */
function modelName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function sampleName(id: JsonNode, epoch: JsonNode | undefined): string {
  return epoch === undefined ? id.text : `${id.text}_epoch_${epoch.text}`;
}

function modelEvents(sample: JsonNode): JsonNode[] {
  const events = sample.get('events') ?? sample.get('transcript')?.get('events');
  return (events?.items() ?? []).filter((event) => event.get('event')?.string === 'model');
}

/**
 * The request of a reply: the model event with this output; without events, the sample's `output` for the last reply.
 */
export function recorded(raw: JsonNode, record?: JsonNode): Recorded | undefined {
  const sample = record && sampleOf(record, raw);
  if (sample === undefined || raw.get('role')?.string !== 'assistant') return undefined;
  const { messageKey, byKey } = requestsIn(sample);
  return requestIn(byKey.get(messageKey(raw)));
}

/** `request`: a model event, or the sample's output. */
function requestIn(request: JsonNode | undefined): Recorded | undefined {
  const output = request?.get('output') ?? request;
  if (output === undefined) return undefined;
  // A reply from Inspect's own cache used nothing.
  const usage = request?.get('cache')?.string === 'read' ? undefined : output.get('usage');
  return recordedOf({
    responseId: request?.get('call')?.get('response')?.get('id')?.string,
    requestId: (request?.get('uuid') ?? request?.get('timestamp'))?.string,
    model: output.get('model')?.string,
    time: timeOf(request?.get('completed')) ?? timeOf(request?.get('timestamp')),
    usage: inspectUsage(usage),
    cost: costField(usage, 'total_cost'),
    failed: request?.get('error')?.isString && usage === undefined ? true : undefined,
  });
}

interface Requests {
  readonly messageKey: (message: JsonNode) => string;
  /** Model events, or the sample's output, by the key of their reply. */
  readonly byKey: ReadonlyMap<string, JsonNode>;
}

/** The requests of each sample, by its position in its source. */
const requestsCache = new WeakMap<JsonSource, Map<number, Requests>>();

function requestsIn(sample: JsonNode): Requests {
  const samples = requestsCache.get(sample.source) ?? new Map<number, Requests>();
  requestsCache.set(sample.source, samples);
  const found = samples.get(sample.at) ?? findRequests(sample);
  samples.set(sample.at, found);
  return found;
}

function findRequests(sample: JsonNode): Requests {
  const messageKey = keysIn(sample);
  const byKey = new Map<string, JsonNode>();
  const add = (output: JsonNode | undefined, holder: JsonNode) => {
    const reply = output?.get('choices')?.items()[0]?.get('message');
    if (reply !== undefined) byKey.set(messageKey(reply), holder);
  };
  const last = sample.get('output');
  if (last !== undefined) add(last, last);
  for (const event of modelEvents(sample)) add(event.get('output'), event);
  return { messageKey, byKey };
}

/**
 * Inspect's `input_tokens` exclude cached tokens; before 2026, most providers' figures included them, and Gemini's
 * output excluded the reasoning. `total_tokens`, in which everything is counted once, shows which is the case.
 * https://github.com/UKGovernmentBEIS/inspect_ai/pull/3341
 */
function inspectUsage(usage: JsonNode | undefined): Usage | undefined {
  const input = tokens(usage, 'input_tokens');
  const output = tokens(usage, 'output_tokens');
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = tokens(usage, 'input_tokens_cache_read') ?? 0;
  const cacheWrite5m = tokens(usage, 'input_tokens_cache_write') ?? 0;
  const reasoning = tokens(usage, 'reasoning_tokens') ?? 0;
  const cached = cacheRead + cacheWrite5m;
  const uncounted = (tokens(usage, 'total_tokens') ?? Number.NaN) - (input ?? 0) - (output ?? 0);
  const excludesReasoning =
    reasoning > 0 && uncounted !== cached && (uncounted === reasoning || uncounted === reasoning + cached);
  const includesCached =
    cached > 0 && (uncounted === 0 || (reasoning > 0 && uncounted === reasoning && uncounted !== cached));
  return usageOf({
    input: Math.max(0, (input ?? 0) - (includesCached ? cached : 0)),
    cacheRead,
    cacheWrite5m,
    output: (output ?? 0) + (excludesReasoning ? reasoning : 0),
    reasoning,
  });
}
