/**
 * Transcripts from the spans of traces, for all file layouts. The messages of a request are in attributes, under the
 * names of one of these conventions: OpenInference (numbered keys), OpenTelemetry's GenAI conventions (JSON in
 * strings), older OpenLLMetry (numbered keys), the AI SDK and Pydantic AI (JSON in strings).
 *
 * Each request repeats the conversation so far. A request that no other request of its trace repeats as a whole is a
 * transcript; the others follow it. So a user sees each conversation once, and what is trimmed is trimmed in all spans.
 * Agents that ran in parallel are transcripts of their own.
 */
import type { Json } from '../../json/edit.js';
import { nested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import type { Recorded } from '../../transcript/types.js';
import type { Bundle } from '../format.js';
import { describeList, type ListMetadata } from '../shared/embedded-messages.js';
import {
  type ContentEdits,
  isNameKey,
  isUnchanged,
  mergeEdits,
  syncCopies,
  syncWholeCopy,
} from '../shared/sync-copies.js';
import {
  conversations,
  type Exchange,
  exchangeEdits,
  otherRequests,
  type RequestsByReply,
  requestsByReply,
  transcriptList,
} from '../shared/traces.js';
import type { AttributeEdits, Span } from './attributes.js';
import { followNumbered, type SpanSide } from './numbered-messages.js';
import { CONVENTIONS, followReply } from './span-conventions.js';
import { modelOf, recordedIn } from './span-usage.js';

/** Tells the user why a trace has no transcript. */
export const NO_MESSAGES =
  'no span has an attribute `llm.input_messages.<n>…`, `gen_ai.input.messages`, `gen_ai.prompt.<n>…` or ' +
  '`ai.prompt.messages` (most instrumentations record messages only if you enable it)';

/** How a file holds its spans. */
export interface SpanLayout {
  /** The spans of a record. */
  spansIn(record: JsonNode): readonly Span[];
  /** The record with other attributes of its spans, in the order of `spansIn`; `others` writes all other values. */
  write(record: JsonNode, attributes: readonly Json[], others: (value: JsonNode) => Json): Json;
}

/** The transcripts of a file's spans. An edit of a transcript is applied to all spans of its trace. */
export function spanBundle({ spansIn, write }: SpanLayout): Bundle {
  return {
    open(records) {
      const found = conversationsIn(records.flatMap(spansIn));
      return found.length === 0
        ? undefined
        : found.map(({ leader, answered, others }) => transcriptList(leader, answered, { ...aboutOf(leader), others }));
    },
    close(records, lists) {
      const spans = records.map(spansIn);
      const outcomes = conversationsIn(spans.flat()).map((conversation, index) => ({
        ...conversation,
        ...exchangeEdits(conversation.leader, lists[index]!),
      }));
      const outcomeOfSpan = new Map(
        outcomes.flatMap((outcome) =>
          [outcome.leader, ...outcome.followers].map(({ span }) => [span, outcome] as const),
        ),
      );
      const byTrace = changesByTrace(outcomes);
      const attributesAfter = (span: Span): Json => {
        const own = outcomeOfSpan.get(span);
        const changes = own?.edits ?? byTrace.get(span.traceId);
        const edits: AttributeEdits = { values: new Map(), lists: new Map() };
        if (own?.leader.span === span)
          for (const side of ['input', 'output'] as const) own.leader[side]?.edit(own[side] ?? [], edits);
        if (changes === undefined || isUnchanged(changes)) return span.attributes.write(edits, (_, value) => value);
        followNumbered(span.attributes, changes, edits);
        followReply(span.attributes, changes, edits);
        return span.attributes.write(edits, (key, value) => followAttribute(key, value, changes));
      };
      return records.map((record, index) => {
        const own = spans[index]!;
        const [changes] = own.flatMap(({ traceId }) => byTrace.get(traceId) ?? []);
        return own.length === 0
          ? record
          : write(record, own.map(attributesAfter), (value) =>
              changes === undefined ? value : syncCopies(value, changes),
            );
      });
    },
    describe: describeList,
  };
}

/** What changed in any conversation of each trace, by trace id: for spans that belong to none of them. */
function changesByTrace(
  outcomes: readonly { readonly leader: SpanExchange; readonly edits: ContentEdits }[],
): ReadonlyMap<string, ContentEdits> {
  const byTrace = new Map<string, ContentEdits[]>();
  for (const { leader, edits } of outcomes) listIn(byTrace, leader.span.traceId).push(edits);
  return new Map([...byTrace].map(([traceId, all]) => [traceId, mergeEdits(all)]));
}

/** Attributes that hold a whole input or output, which may equal a message however short that is. */
const WHOLE_VALUE = /(?:^|\.)(?:input|output|input\.value|output\.value|arguments|args|result|response\.object)$/;

function followAttribute(key: string, value: JsonNode, edits: ContentEdits): Json {
  if (isNameKey(key)) return value;
  const written = WHOLE_VALUE.test(key) ? syncWholeCopy(value, edits) : syncCopies(value, edits);
  return value.isString && (written === null || (!(written instanceof JsonNode) && typeof written === 'object'))
    ? ''
    : written;
}
interface SpanExchange extends Exchange<SpanSide> {
  readonly span: Span;
}

interface TraceConversation {
  /** The request that holds the whole conversation. */
  readonly leader: SpanExchange;
  /** The requests that hold parts of it. */
  readonly followers: readonly SpanExchange[];
  /** The requests whose replies it holds. */
  readonly answered: RequestsByReply;
  /** Of the first conversation of a trace: its requests whose replies are in none. */
  readonly others: readonly Recorded[];
}

function conversationsIn(spans: readonly Span[]): TraceConversation[] {
  const byTrace = new Map<string, Span[]>();
  for (const span of spans) listIn(byTrace, span.traceId).push(span);
  return [...byTrace.values()].flatMap((own) => {
    const requests = requestsIn(own);
    const exchanges = own.map((span): SpanExchange => {
      const about = { isRequest: requests.has(span.details), request: requests.get(span.details) };
      return { ...sidesOf(span), span, ...about };
    });
    const all = exchanges.filter(({ input, output }) => input !== undefined || output !== undefined);
    const led = conversations(all);
    const requestsOf = requestsByReply(all);
    const found = all.flatMap((leader) =>
      led.has(leader) ? [{ leader, followers: led.get(leader)!, answered: requestsOf(leader) }] : [],
    );
    const others = otherRequests(
      exchanges.filter(({ span }) => !span.isEvent),
      found.map(({ answered }) => answered),
    );
    return found.map((conversation, index) => ({ ...conversation, others: index === 0 ? others : [] }));
  });
}

function sidesOf({ attributes }: Span): Pick<SpanExchange, 'input' | 'output'> {
  for (const { input, output } of CONVENTIONS) {
    const sides = { input: input(attributes), output: output(attributes) };
    if (sides.input !== undefined || sides.output !== undefined) return sides;
  }
  return { input: undefined, output: undefined };
}

/**
 * What is recorded of the spans that are one request each. Spans around a request that state the usage of all requests
 * in them are not, such as `ai.generateText` of the AI SDK, or a framework's span around that of the provider's client.
 */
function requestsIn(spans: readonly Span[]): ReadonlyMap<Details, Recorded | undefined> {
  const byId = new Map(spans.flatMap((span) => (span.isEvent ? [] : [[span.id, span] as const])));
  const found = new Map(
    spans.filter((span) => !span.isEvent && isRequest(span)).map((span) => [span.details, recordedIn(span)]),
  );
  for (const inner of spans) {
    if (found.get(inner.details)?.usage === undefined) continue;
    const path = new Set([inner.id]);
    let at = byId.get(inner.parentId);
    while (at !== undefined && !path.has(at.id) && !runsTool(at)) {
      path.add(at.id);
      found.delete(at.details);
      at = byId.get(at.parentId);
    }
  }
  return found;
}

/** The same for a span and its events. */
type Details = Span['details'];

/** Whether a span is the run of a tool: the requests inside it are those of another agent. */
function runsTool({ attributes }: Span): boolean {
  const kind = attributes.get('openinference.span.kind') ?? attributes.get('traceloop.span.kind');
  return kind?.string?.toLowerCase() === 'tool' || attributes.get('gen_ai.operation.name')?.string === 'execute_tool';
}

/** Whether a span is one request: spans of agents and tools repeat the messages of requests inside them. */
function isRequest({ attributes }: Span): boolean {
  const kind =
    (attributes.get('openinference.span.kind') ?? attributes.get('traceloop.span.kind'))?.string?.toLowerCase() ??
    'llm';
  const operation = attributes.get('gen_ai.operation.name')?.string ?? 'chat';
  return kind === 'llm' && !['invoke_agent', 'create_agent', 'execute_tool'].includes(operation);
}

function aboutOf({ span }: SpanExchange): ListMetadata {
  const definitions = span.attributes.get('gen_ai.tool.definitions');
  const held = definitions === undefined ? undefined : nested(definitions).value;
  const schemas = span.attributes.list('llm.tools').flatMap((tool) => tool.get('tool.json_schema') ?? []);
  const listed =
    schemas.length === 0 ? undefined : parse(`[${schemas.map((schema) => printed(nested(schema).value)).join(',')}]`);
  return { id: span.traceId || undefined, model: modelOf(span), tools: held?.isArray ? held : listed };
}
