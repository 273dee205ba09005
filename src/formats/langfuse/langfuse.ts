/**
 * Langfuse traces, as its interface and its API export them: `{trace, observations}`, or a trace with its `observations` inside. What an
 * observation says stands in `input` and `output`, as values or as JSON in strings, in the shape of whatever framework sent it. The
 * transcript is the observation with the longest list of messages, its output included: a GENERATION as a rule, an AGENT where each
 * generation holds no more than what is new. Agents that a tool or another agent started are transcripts of their own.
 * https://langfuse.com/docs/observability/data-model
 * A table of observations (with their `traceId`) holds a trace in several rows. Langfuse's own reading of a trace (`{<id>: {input: {success, data}, output: {success, data}}}`) is one trace too.
 */

import type { Json } from '../../json/edit.js';
import { type Nested, nested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { isDefinition } from '../openai/chat-variants.js';
import { type EditableList, findMessages } from '../shared/conversation.js';
import { describeList, embeddedFormat } from '../shared/embedded-messages.js';
import { costText, isCount, recordedOf, timeOf, usageOf } from '../shared/recorded.js';
import { mergeEdits, syncCopies } from '../shared/sync-copies.js';
import { type Exchange, exchangeEdits, exchangeMessages, longestExchange, transcriptList } from '../shared/traces.js';
import { agentsIn, type Found } from './langfuse-agents.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'langfuse',
  describe(record) {
    const trace = record.get('trace') ?? record;
    const model = modelOf(observationsOf(record)?.find((node) => isGeneration(node) && modelOf(node) !== undefined));
    return { id: trace.get('id')?.string, model, tools: toolsOf(longestOf(exchangesIn(record))) };
  },
  explainEmpty: (record) =>
    observationsOf(record) === undefined ? undefined : 'no observation has an input or output with messages',
  envelope: {
    open(record) {
      const lists = openTrace(exchangesIn(record), (record.get('trace') ?? record).get('id'));
      return lists.length === 0 ? undefined : lists;
    },
    close: (record, lists) => closeTrace([record], exchangesIn(record), lists)[0]!,
    describe: describeList,
  },
  bundle: {
    open(records) {
      const lists = tracesIn(records).flatMap(({ found, id }) => openTrace(found, id));
      return lists.length === 0 ? undefined : lists;
    },
    close(records, lists) {
      const written = new Map<JsonNode, Json>();
      let next = 0;
      for (const { rows, found, id } of tracesIn(records)) {
        const count = openTrace(found, id).length;
        if (count === 0) continue;
        closeTrace(rows, found, lists.slice(next, next + count)).forEach((row, at) => {
          written.set(rows[at]!, row);
        });
        next += count;
      }
      return records.map((record) => written.get(record) ?? record);
    },
    describe: describeList,
  },
});

/** The observations of a table of them, by trace. */
function tracesIn(
  records: readonly JsonNode[],
): { readonly rows: readonly JsonNode[]; readonly found: readonly Found[]; readonly id: JsonNode | undefined }[] {
  const byTrace = new Map<string, JsonNode[]>();
  for (const record of records) {
    const trace = record.get('traceId')?.string;
    if (trace === undefined || !TYPES.has(record.get('type')?.string ?? '')) continue;
    listIn(byTrace, trace).push(record);
  }
  return [...byTrace.values()].map((rows) => ({ rows, found: rows.map(foundIn), id: rows[0]!.get('traceId') }));
}

/** https://langfuse.com/docs/observability/features/observation-types */
const TYPES = new Set([
  'GENERATION',
  'SPAN',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
]);

/** The transcripts of a trace: the main line, and one for each agent that was started in it. */
function openTrace(found: readonly Found[], id: JsonNode | undefined): readonly JsonNode[] {
  const chosen = longestOf(found);
  if (chosen === undefined || exchangeMessages(chosen.exchange).length === 0) return [];
  const all = found.map(({ exchange }) => exchange);
  const isRow = chosen.observation.get('traceId')?.isString === true;
  const requested = found.find(({ exchange }) => exchange.isRequest)?.observation;
  const aboutOf = (talk: Found) => ({ model: modelOf(talk.observation) ?? modelOf(requested), tools: toolsOf(talk) });
  return [
    transcriptList(
      chosen.exchange,
      all,
      isRow ? { id: id?.string ?? chosen.observation.get('traceId')!.text, ...aboutOf(chosen) } : {},
    ),
    ...agentsIn(found, chosen).map(({ leader, agent }) =>
      transcriptList(leader.exchange, all, { id: id?.isString ? `${id.text}/${agent}` : agent, ...aboutOf(leader) }),
    ),
  ];
}

/** The records of a trace after what was done to its transcripts. */
function closeTrace(records: readonly JsonNode[], found: readonly Found[], after: readonly Json[]): readonly Json[] {
  if (after.every((list) => list instanceof JsonNode)) return records;
  const main = longestOf(found)!;
  const talks = [{ leader: main, followers: [] }, ...agentsIn(found, main)].map((talk, index) => {
    const list = after[index]!;
    return { ...talk, outcome: list instanceof JsonNode ? undefined : exchangeEdits(talk.leader.exchange, list) };
  });
  const sides = talks.flatMap(({ leader, outcome }) => [
    { node: leader.input, value: outcome?.input && leader.exchange.input!.replace(outcome.input) },
    { node: leader.output, value: outcome?.output && leader.exchange.output!.replace(outcome.output) },
  ]);
  const sideOf = (node: JsonNode) => sides.find((side) => side.value !== undefined && node.is(side.node))?.value;
  const [mainTalk, ...agents] = talks;
  const ledBy = new Map(agents.flatMap((talk) => [talk.leader, ...talk.followers].map((one) => [one, talk] as const)));
  const requests = new Map<number, Found[]>(); // by where they stand: rows of a table stand at the same place, each in its own
  for (const one of found) if (one.exchange.isRequest) listIn(requests, one.observation.at).push(one);
  /** What a request said is told once, whichever agent's it is; what stands around requests tells of all of them. */
  const known = (node: JsonNode): Json | undefined => {
    const request = agents.length === 0 ? undefined : requests.get(node.at)?.find((one) => node.is(one.observation));
    if (request === undefined) return sideOf(node);
    const { outcome } = ledBy.get(request) ?? mainTalk!;
    return outcome === undefined ? node : syncCopies(node, outcome.edits, sideOf);
  };
  const fates = mergeEdits(talks.flatMap(({ outcome }) => outcome?.edits ?? []));
  return records.map((record) => syncCopies(record, fates, known));
}

function observationsOf(record: JsonNode): readonly JsonNode[] | undefined {
  const list = record.get('observations');
  if (
    !list?.isArray ||
    (record.get('trace') === undefined && record.get('projectId') === undefined && record.get('scores') === undefined)
  )
    return undefined;
  return list.items();
}

function isGeneration(observation: JsonNode): boolean {
  return observation.get('type')?.string === 'GENERATION';
}

function exchangesIn(record: JsonNode): readonly Found[] {
  const observations = observationsOf(record);
  if (observations !== undefined) return observations.map(foundIn);
  const readings = record.members().map(({ value }) => value);
  return readings.length > 0 && readings.every(isReading)
    ? readings.map((reading) =>
        foundOf(reading, reading.get('input')?.get('data'), reading.get('output')?.get('data'), true),
      )
    : [];
}

/** Langfuse's own reading of one observation. */
function isReading(value: JsonNode): boolean {
  return ['input', 'output'].every((key) => value.get(key)?.get('success')?.boolean !== undefined);
}

function foundIn(observation: JsonNode): Found {
  return foundOf(observation, observation.get('input'), observation.get('output'), isGeneration(observation));
}

/** A text is a prompt or a reply only where a model was asked. */
function foundOf(
  observation: JsonNode,
  input: JsonNode | undefined,
  output: JsonNode | undefined,
  isRequest: boolean,
): Found {
  const isText = ({ value }: Nested) => value.isString || value.get('prompt')?.isString === true;
  const isValue = (node: JsonNode | undefined) => isRequest || (node !== undefined && !isText(nested(node)));
  const exchange: Exchange<EditableList> = {
    input: isValue(input) ? findMessages(input, 'user') : undefined,
    output: isValue(output) ? findMessages(output, 'assistant') : undefined,
    isRequest,
    request: recordedIn(observation),
  };
  return { exchange, input, output, observation };
}

function longestOf(found: readonly Found[]): Found | undefined {
  const chosen = longestExchange(found.map(({ exchange }) => exchange));
  return found.find(({ exchange }) => exchange === chosen);
}

// --- what is recorded

function modelOf(observation: JsonNode | undefined): string | undefined {
  return observation?.get('model')?.string;
}

function recordedIn(observation: JsonNode): Recorded | undefined {
  const cost =
    observation.get('costDetails')?.get('total') ??
    observation.get('calculatedTotalCost') ??
    observation.get('totalCost');
  return recordedOf({
    responseId: observation.get('id')?.string,
    model: modelOf(observation),
    time: timeOf(observation.get('startTime')),
    usage: langfuseUsage(observation.get('usageDetails')),
    cost: costText(cost),
  });
}

const CACHE_READ = /^(?:input_)?(?:cached_tokens|cache_read(?:_tokens)?|cache_read_input_tokens)$/;
const CACHE_WRITE = /^(?:input_)?cache_(?:creation|write)/;

/**
 * Usage by type, under names that providers' integrations chose; those that begin with `input` or `output` count as such. Types do not
 * overlap (`input` is without what was cached), unless a `total` says otherwise: older integrations put the details on top.
 * https://langfuse.com/docs/observability/features/token-and-cost-tracking
 */
export function langfuseUsage(details: JsonNode | undefined): Usage | undefined {
  const counts =
    details
      ?.members()
      .flatMap(({ key, value }) => (isCount(value.number) ? [{ type: key.text, count: value.number }] : [])) ?? [];
  const sum = (fits: (type: string) => boolean) =>
    counts.reduce((total, { type, count }) => (fits(type) ? total + count : total), 0);
  const isCache = (type: string) => CACHE_READ.test(type) || CACHE_WRITE.test(type);
  if (!counts.some(({ type }) => /^(?:input|output|prompt|completion)/.test(type))) return undefined;
  const input = sum((type) => type === 'input' || type === 'input_tokens' || type === 'prompt_tokens');
  const output = sum((type) => type === 'output' || type === 'output_tokens' || type === 'completion_tokens');
  const cacheRead = sum((type) => CACHE_READ.test(type));
  const cacheWrite1h = sum((type) => CACHE_WRITE.test(type) && type.includes('1h'));
  const cacheWrite5m = sum((type) => CACHE_WRITE.test(type)) - cacheWrite1h;
  const moreInput = sum((type) => /^input_(?!tokens$)/.test(type) && !isCache(type));
  const moreOutput = sum((type) => /^output_(?!tokens$)/.test(type));
  const reasoning = sum((type) => /^output_reasoning/.test(type));
  const total = sum((type) => type === 'total' || type === 'total_tokens');
  const isOnTop = total > 0 && input + output === total;
  if (isOnTop)
    return usageOf({
      input: Math.max(0, input - cacheRead - cacheWrite5m - cacheWrite1h),
      cacheRead,
      cacheWrite5m,
      cacheWrite1h,
      output,
      reasoning,
    });
  return usageOf({
    input: input + moreInput,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output: output + moreOutput,
    reasoning,
  });
}

/** Tool definitions beside the messages, or under Langfuse's own name. */
function toolsOf(found: Found | undefined): JsonNode | undefined {
  if (found === undefined) return undefined;
  const input = found.input === undefined ? undefined : nested(found.input).value;
  const appended = (input?.items() ?? []).map((item) => item.get('content')).filter(isDefinition);
  return [
    input?.get('tools'),
    input?.get('config')?.get('tools'),
    ...(found.observation.get('toolDefinitions')?.isArray ? [found.observation.get('toolDefinitions')] : []),
    appended.length === 0 ? undefined : parse(`[${appended.map((definition) => definition!.text).join(',')}]`),
  ].find((node) => node !== undefined && node.length > 0);
}
