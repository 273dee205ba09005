/**
 * Langfuse traces, as its UI and API export them: `{trace, observations}`, or a trace with its `observations`. The
 * messages of an observation are in `input` and `output`, as values or as JSON in strings, in the format of the
 * framework that sent them. The transcript is the observation with the most messages, output included: usually a
 * GENERATION, or an AGENT if each generation has only the new messages. Agents that a tool or another agent started are
 * transcripts of their own. https://langfuse.com/docs/observability/data-model A table of observations (with `traceId`)
 * has a trace in several rows. Langfuse's own tryParse form of a trace (`{<id>: {input: {success, data}, output:
 * {success, data}}}`) is one trace, too.
 */

import type { Json } from '../../json/edit.js';
import { type Nested, nested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { commaSet, listIn } from '../../lists.js';
import { onceFor } from '../../once.js';
import type { Recorded } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { isDefinition } from '../openai/chat-variants.js';
import { type EditableList, findMessages } from '../shared/conversation.js';
import { describeList, embeddedFormat } from '../shared/embedded-messages.js';

import { mergeEdits, syncCopies } from '../shared/sync-copies.js';
import {
  type Exchange,
  editedSides,
  exchangeEdits,
  exchangeMessages,
  longestExchange,
  nodeMap,
  otherRequests,
  requestsByReply,
  transcriptList,
} from '../shared/traces.js';
import { agentsIn, type ObservedExchange } from './langfuse-agents.js';
import { repliesWithUsage, replyKey } from './langfuse-langgraph.js';
import { modelOf, recordedIn, totalOf } from './langfuse-usage.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'langfuse',
  describe(record) {
    const trace = record.get('trace') ?? record;
    const model = modelOf(observationsOf(record)?.find((node) => isGeneration(node) && modelOf(node) !== undefined));
    return { id: trace.get('id')?.string, model, tools: toolsOf(longestOf(exchangesIn(record))) };
  },
  beside: (record) => {
    const found = isRow(record) ? [exchangeOf(record)] : exchangesIn(record);
    return found.flatMap(({ exchange }) => textsOf(exchange));
  },
  explainEmpty: (record) =>
    observationsOf(record) === undefined ? undefined : 'no observation has an input or output with messages',
  envelope: {
    open(record) {
      const trace = record.get('trace') ?? record;
      const lists = openTrace(exchangesIn(record), trace.get('id'), totalOf(trace));
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

/** A trace in a table of observations. */
interface TableTrace {
  readonly rows: readonly JsonNode[];
  readonly found: readonly ObservedExchange[];
  readonly id: JsonNode | undefined;
}

function isRow(record: JsonNode): boolean {
  return record.get('traceId')?.isString === true && OBSERVATION_TYPES.has(record.get('type')?.string ?? '');
}

function tracesIn(records: readonly JsonNode[]): TableTrace[] {
  const byTrace = new Map<string, JsonNode[]>();
  for (const record of records) {
    if (isRow(record)) listIn(byTrace, record.get('traceId')!.text).push(record);
  }
  return [...byTrace.values()].map((rows) => ({ rows, found: rows.map(exchangeOf), id: rows[0]!.get('traceId') }));
}

/** https://langfuse.com/docs/observability/features/observation-types */
const OBSERVATION_TYPES = commaSet(`
  GENERATION, SPAN, EVENT, AGENT, TOOL, CHAIN, RETRIEVER, EVALUATOR, EMBEDDING, GUARDRAIL
`);

/** The transcripts of a trace: the main one, and one for each agent that was started in it. `total`: of the trace. */
function openTrace(
  found: readonly ObservedExchange[],
  id: JsonNode | undefined,
  total?: readonly Recorded[],
): readonly JsonNode[] {
  const chosen = longestOf(found);
  if (chosen === undefined || exchangeMessages(chosen.exchange).length === 0) return [];
  const all = found.map(({ exchange }) => exchange);
  const isOfTable = chosen.observation.get('traceId')?.isString === true;
  const requested = found.find(({ exchange }) => exchange.isRequest)?.observation;
  const aboutOf = (one: ObservedExchange) => ({
    model: modelOf(one.observation) ?? modelOf(requested),
    tools: toolsOf(one),
  });
  const about = isOfTable ? { id: id?.string ?? chosen.observation.get('traceId')!.text, ...aboutOf(chosen) } : {};
  const requestsOf = requestsByReply(all);
  const own = requestsOf(chosen.exchange);
  const agents = agentsIn(found, chosen).map(({ leader, agent }) => ({
    exchange: leader.exchange,
    requests: requestsOf(leader.exchange),
    about: { id: id?.isString ? `${id.text}/${agent}` : agent, ...aboutOf(leader) },
  }));
  const others = [...otherRequests(all, [own, ...agents.map(({ requests }) => requests)]), ...(total ?? [])];
  return [
    transcriptList(chosen.exchange, own, { ...about, others }),
    ...agents.map((each) => transcriptList(each.exchange, each.requests, each.about)),
  ];
}

/** The records of a trace after its transcripts were edited. */
function closeTrace(
  records: readonly JsonNode[],
  found: readonly ObservedExchange[],
  after: readonly Json[],
): readonly Json[] {
  if (after.every((list) => list instanceof JsonNode)) return records;
  const main = longestOf(found)!;
  const transcripts = [{ leader: main, followers: [] }, ...agentsIn(found, main)].map((transcript, index) => {
    const list = after[index]!;
    return {
      ...transcript,
      outcome: list instanceof JsonNode ? undefined : exchangeEdits(transcript.leader.exchange, list),
    };
  });
  const writtenSide = editedSides(transcripts.map(({ leader, outcome }) => ({ ...leader, edited: outcome })));
  const [mainTranscript, ...agents] = transcripts;
  const agentOf = new Map(
    agents.flatMap((agent) => [agent.leader, ...agent.followers].map((one) => [one, agent] as const)),
  );
  const requests = found.filter(({ exchange }) => exchange.isRequest);
  const requestAt = nodeMap(requests.map((one) => [one.observation, one] as const));
  // A request gets the edits of its own transcript only; everything around requests gets the edits of all transcripts.
  const known = (node: JsonNode): Json | undefined => {
    const request = agents.length === 0 ? undefined : requestAt(node);
    if (request === undefined) return writtenSide(node);
    const { outcome } = agentOf.get(request) ?? mainTranscript!;
    return outcome === undefined ? node : syncCopies(node, outcome.edits, writtenSide);
  };
  const edits = mergeEdits(transcripts.flatMap(({ outcome }) => outcome?.edits ?? []));
  return records.map((record) => syncCopies(record, edits, known));
}

function observationsOf(record: JsonNode): readonly JsonNode[] | undefined {
  const list = record.get('observations');
  const isTrace = ['trace', 'projectId', 'scores'].some((key) => record.get(key) !== undefined);
  return list?.isArray && isTrace ? list.items() : undefined;
}

function isGeneration(observation: JsonNode): boolean {
  return observation.get('type')?.string === 'GENERATION';
}

/** The texts of an observation, which no message of the transcripts may hold. */
function textsOf(exchange: Exchange): readonly (JsonNode | undefined)[] {
  return exchangeMessages(exchange).flatMap(({ lens, message }) =>
    lens.read(message).parts.flatMap((part) => {
      const pieces = part.type === 'result' ? part.content : [part];
      return pieces.map((piece) => (piece.type === 'text' && piece.text instanceof JsonNode ? piece.text : undefined));
    }),
  );
}

const exchangesIn = onceFor((record: JsonNode): readonly ObservedExchange[] => {
  const observations = observationsOf(record);
  if (observations !== undefined) return observations.map(exchangeOf);
  const tryParse = record.members().map(({ value }) => value);
  if (tryParse.length === 0 || !tryParse.every(isParsedObservation)) return [];
  const replies = repliesWithUsage(record);
  return tryParse.map((value) => parsedExchange(value, replies));
});

/** Whether a value is one observation in Langfuse's own tryParse form. */
function isParsedObservation(value: JsonNode): boolean {
  return ['input', 'output'].every((key) => value.get(key)?.get('success')?.boolean !== undefined);
}

function parsedExchange(value: JsonNode, replies: ReadonlyMap<string, Recorded>): ObservedExchange {
  const output = value.get('output')?.get('data');
  const found = exchangeBetween(value, value.get('input')?.get('data'), output, true);
  const [reply, ...more] = output?.items() ?? [];
  const request = more.length > 0 ? undefined : replies.get(replyKey(reply) ?? '');
  return request === undefined ? found : { ...found, exchange: { ...found.exchange, request } };
}

function exchangeOf(observation: JsonNode): ObservedExchange {
  return exchangeBetween(observation, observation.get('input'), observation.get('output'), isGeneration(observation));
}

/** The exchange of an observation. A side that is only a text is a message only if the observation is a request. */
function exchangeBetween(
  observation: JsonNode,
  input: JsonNode | undefined,
  output: JsonNode | undefined,
  isRequest: boolean,
): ObservedExchange {
  const isText = ({ value }: Nested) => value.isString || value.get('prompt')?.isString === true;
  const mayHold = (node: JsonNode | undefined) => isRequest || (node !== undefined && !isText(nested(node)));
  const exchange: Exchange<EditableList> = {
    input: mayHold(input) ? findMessages(input, 'user') : undefined,
    output: mayHold(output) ? findMessages(output, 'assistant') : undefined,
    isRequest,
    request: recordedIn(observation),
  };
  return { exchange, input, output, observation };
}

function longestOf(found: readonly ObservedExchange[]): ObservedExchange | undefined {
  const chosen = longestExchange(found.map(({ exchange }) => exchange));
  return found.find(({ exchange }) => exchange === chosen);
}

/** Tool definitions beside the messages, under Langfuse's own name, or appended to the messages. */
function toolsOf(found: ObservedExchange | undefined): JsonNode | undefined {
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
