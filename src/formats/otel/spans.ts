/**
 * Spans of traces, whichever file they come in. What was said to a model and by it stands in attributes, under the names of one of four
 * conventions: OpenInference (numbered keys), OpenTelemetry's GenAI conventions (JSON in strings), OpenLLMetry before it followed those
 * (numbered keys), the AI SDK (JSON in strings).
 *
 * Each request repeats the conversation so far. So a request that no other of its trace repeats as a whole is a transcript, and the
 * others follow it: whoever trims a trace wants to see a conversation once, and what was trimmed nowhere. Agents that ran side by side
 * are transcripts of their own.
 */

import type { Json } from '../../json/edit.js';
import { nested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Bundle } from '../format.js';
import { type EditableList, findMessages, type Side, type WrittenMessage } from '../shared/conversation.js';
import { describeList, type EmbeddedMessage, type ListMetadata, plainText } from '../shared/embedded-messages.js';
import { costText, isCount, recordedOf, timeOf, usageFromTotals, validTime } from '../shared/recorded.js';
import {
  type ContentEdits,
  isNameKey,
  isUnchanged,
  mergeEdits,
  syncCopies,
  syncWholeCopy,
} from '../shared/sync-copies.js';
import { conversations, type Exchange, exchangeEdits, transcriptList } from '../shared/traces.js';
import type { Attributes, Edits } from './attributes.js';
import { followNumbered, numberedAt, type SpanSide } from './numbered-messages.js';

/** A span, or an event of one that has attributes of its own. */
export interface Span {
  readonly traceId: string;
  readonly attributes: Attributes;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
}

/** What a trace without a conversation lacks. */
export const MISSING =
  'no span says what was said: none has an attribute `llm.input_messages.<n>…`, `gen_ai.input.messages`, `gen_ai.prompt.<n>…` or `ai.prompt.messages` (most instrumentations record contents only when asked to)';

/** How a file holds its spans. */
export interface Layout {
  /** The spans of a record. */
  spansIn(record: JsonNode): readonly Span[];
  /** The record with the attributes of its spans written anew, in the order of `spansIn`, and all else written by `others`. */
  write(record: JsonNode, attributes: readonly Json[], others: (value: JsonNode) => Json): Json;
}

/** The transcripts of a file's spans, whatever its layout: what is done to one is done to all spans of its trace. */
export function spanBundle({ spansIn, write }: Layout): Bundle {
  return {
    open(records) {
      const talks = talksIn(records.flatMap(spansIn));
      return talks.length === 0
        ? undefined
        : talks.map(({ leader, all }) => transcriptList(leader, all, aboutOf(leader)));
    },
    close(records, lists) {
      const spans = records.map(spansIn);
      const talks = talksIn(spans.flat());
      const outcomes = talks.map((talk, index) => ({ talk, ...exchangeEdits(talk.leader, lists[index]!) }));
      const ledBy = new Map(
        outcomes.flatMap((outcome) =>
          [outcome.talk.leader, ...outcome.talk.followers].map(({ span }) => [span, outcome] as const),
        ),
      );
      const byTrace = new Map(
        outcomes.map(({ talk }) => [
          talk.leader.span.traceId,
          mergeEdits(
            outcomes
              .filter((other) => other.talk.leader.span.traceId === talk.leader.span.traceId)
              .map(({ edits: fates }) => fates),
          ),
        ]),
      );
      const attributesAfter = (span: Span): Json => {
        const led = ledBy.get(span);
        const fates = led?.edits ?? byTrace.get(span.traceId);
        const edits: Edits = { values: new Map(), lists: new Map() };
        if (led?.talk.leader.span === span)
          for (const side of ['input', 'output'] as const) led.talk.leader[side]?.edit(led[side] ?? [], edits);
        if (fates === undefined || isUnchanged(fates)) return span.attributes.write(edits, (_, value) => value);
        followNumbered(span.attributes, fates, edits);
        return span.attributes.write(edits, (key, value) => followedAttribute(key, value, fates));
      };
      return records.map((record, index) => {
        const own = spans[index]!;
        const [fates] = own.flatMap(({ traceId }) => byTrace.get(traceId) ?? []);
        return own.length === 0
          ? record
          : write(record, own.map(attributesAfter), (value) =>
              fates === undefined ? value : syncCopies(value, fates),
            );
      });
    },
    describe: describeList,
  };
}

/** Whole inputs and outputs are the same text as a message, be they as short as they may. */
const WHOLE = /(?:^|\.)(?:input|output|input\.value|output\.value|arguments|result)$/;

function followedAttribute(key: string, value: JsonNode, fates: ContentEdits): Json {
  if (isNameKey(key)) return value;
  const written = WHOLE.test(key) ? syncWholeCopy(value, fates) : syncCopies(value, fates);
  return value.isString && (written === null || (!(written instanceof JsonNode) && typeof written === 'object'))
    ? ''
    : written;
}

// --- who talks

interface SpanExchange extends Exchange<SpanSide> {
  readonly span: Span;
}

interface Talk {
  readonly leader: SpanExchange;
  readonly followers: readonly SpanExchange[];
  /** All exchanges of the trace. */
  readonly all: readonly SpanExchange[];
}

function talksIn(spans: readonly Span[]): Talk[] {
  const byTrace = new Map<string, SpanExchange[]>();
  for (const span of spans) {
    const exchange = exchangeOf(span);
    if (exchange === undefined) continue;
    const trace = byTrace.get(span.traceId);
    if (trace === undefined) byTrace.set(span.traceId, [exchange]);
    else trace.push(exchange);
  }
  return [...byTrace.values()].flatMap((all) => {
    const led = conversations(all);
    return all.flatMap((leader) => (led.has(leader) ? [{ leader, followers: led.get(leader)!, all }] : []));
  });
}

function exchangeOf(span: Span): SpanExchange | undefined {
  for (const { input, output } of CONVENTIONS) {
    const sides = { input: input(span.attributes), output: output(span.attributes) };
    if (sides.input === undefined && sides.output === undefined) continue;
    return { ...sides, span, isRequest: !isAround(span), request: recordedIn(span) };
  }
  return undefined;
}

/** A span around requests that says what they said, as that of an agent does. */
function isAround({ attributes }: Span): boolean {
  const kind =
    (attributes.get('openinference.span.kind') ?? attributes.get('traceloop.span.kind'))?.string?.toLowerCase() ??
    'llm';
  const operation = attributes.get('gen_ai.operation.name')?.string ?? 'chat';
  return kind !== 'llm' || operation === 'invoke_agent' || operation === 'create_agent' || operation === 'execute_tool';
}

// --- conventions

interface Convention {
  input(attributes: Attributes): SpanSide | undefined;
  output(attributes: Attributes): SpanSide | undefined;
}

const CONVENTIONS: readonly Convention[] = [
  {
    input: (attributes) => withInstructions(attributes, valueAt(attributes, 'gen_ai.input.messages', 'user')),
    output: (attributes) => valueAt(attributes, 'gen_ai.output.messages', 'assistant'),
  },
  {
    input: (attributes) => numberedAt(attributes, 'llm.input_messages'),
    output: (attributes) => numberedAt(attributes, 'llm.output_messages'),
  },
  {
    input: (attributes) => numberedAt(attributes, 'gen_ai.prompt'),
    output: (attributes) => numberedAt(attributes, 'gen_ai.completion'),
  },
  {
    input: (attributes) => valueAt(attributes, 'ai.prompt.messages', 'user'),
    output: (attributes) => valueAt(attributes, 'ai.response.text', 'assistant'),
  },
  {
    input: (attributes) =>
      valueAt(attributes, 'pydantic_ai.all_messages', 'user') ?? valueAt(attributes, 'all_messages_events', 'user'),
    output: () => undefined,
  },
];

function valueAt(attributes: Attributes, key: string, side: Side): SpanSide | undefined {
  const value = attributes.get(key);
  const spoken = findMessages(value, side);
  return (
    spoken && {
      messages: spoken.messages,
      isList: spoken.isList,
      edit: (puts, edits) => setValue(edits, key, value!, spoken, puts),
    }
  );
}

function setValue(
  edits: Edits,
  key: string,
  value: JsonNode,
  spoken: EditableList,
  puts: readonly WrittenMessage[],
): void {
  const written = spoken.replace(puts);
  if (written !== value) edits.values.set(key, written);
}

/** The system prompt in an attribute of its own goes before the messages. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
function withInstructions(attributes: Attributes, side: SpanSide | undefined): SpanSide | undefined {
  const value = attributes.get('gen_ai.system_instructions');
  if (value === undefined || side === undefined) return side;
  const inner = nested(value);
  const system: EmbeddedMessage = { lens: plainText('system'), message: inner.value, beside: true };
  if (!inner.value.isString && !inner.value.isArray) return side;
  return {
    isList: side.isList,
    messages: [system, ...side.messages],
    edit(puts, edits) {
      const own = puts.find(({ from }) => from === 0)?.message ?? '';
      if (own !== inner.value)
        edits.values.set('gen_ai.system_instructions', inner.strings.length === 0 ? own : printed(own));
      side.edit(
        puts
          .filter(({ from }) => from !== 0)
          .map(({ message, from }) => ({ message, from: from === undefined ? undefined : from - 1 })),
        edits,
      );
    },
  };
}

// --- what is recorded

const RESPONSE_MODELS = [
  'gen_ai.response.model',
  'llm.response.model_name',
  'llm.model_name',
  'ai.response.model',
  'gen_ai.request.model',
  'ai.model.id',
  'llm.request.model_name',
];

function modelOf({ attributes }: Span): string | undefined {
  return RESPONSE_MODELS.map((key) => attributes.get(key)?.string).find((model) => model !== undefined);
}

function recordedIn(span: Span): Recorded | undefined {
  const { attributes, time } = span;
  return recordedOf({
    responseId: (attributes.get('gen_ai.response.id') ?? attributes.get('ai.response.id'))?.string,
    sessionId: (attributes.get('session.id') ?? attributes.get('gen_ai.conversation.id'))?.string,
    model: modelOf(span),
    time,
    usage: spanUsage(attributes),
    cost: costText(attributes.get('llm.cost.total') ?? attributes.get('gen_ai.usage.cost')),
  });
}

/** The spellings of each figure, the current one first. */
const FIGURES = {
  prompt: [
    'gen_ai.usage.input_tokens',
    'llm.token_count.prompt',
    'gen_ai.usage.prompt_tokens',
    'llm.usage.prompt_tokens',
    'ai.usage.promptTokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'llm.token_count.completion',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
    'ai.usage.completionTokens',
  ],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'ai.usage.cachedInputTokens',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_write.input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
  ],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'llm.token_count.completion_details.reasoning',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'ai.usage.reasoningTokens',
  ],
} as const;

/** The conventions count everything that was cached as input too. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
function spanUsage(attributes: Attributes): Usage | undefined {
  const figure = (keys: readonly string[]) => keys.map((key) => attributes.get(key)?.number).find(isCount);
  return usageFromTotals(figure(FIGURES.prompt), figure(FIGURES.output), {
    cacheRead: figure(FIGURES.cacheRead),
    cacheWrite5m: figure(FIGURES.cacheWrite),
    reasoning: figure(FIGURES.reasoning),
  });
}

function aboutOf({ span }: SpanExchange): ListMetadata {
  const definitions = span.attributes.get('gen_ai.tool.definitions');
  const held = definitions === undefined ? undefined : nested(definitions).value;
  const schemas = span.attributes.list('llm.tools').flatMap((tool) => tool.get('tool.json_schema') ?? []);
  const listed =
    schemas.length === 0 ? undefined : parse(`[${schemas.map((schema) => printed(nested(schema).value)).join(',')}]`);
  return { id: span.traceId || undefined, model: modelOf(span), tools: held?.isArray ? held : listed };
}

/** Nanoseconds since 1970, which OTLP writes as a string, or what `timeOf` knows. */
export function spanTime(node: JsonNode | undefined): number | undefined {
  const nanoseconds = /^\d{16,}$/.exec(node?.text ?? '')?.[0];
  return nanoseconds === undefined ? timeOf(node) : validTime(Math.floor(Number(nanoseconds) / 1e6));
}
