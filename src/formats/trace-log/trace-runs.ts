/** The runs in records of observability platforms: their messages, and what is recorded of their requests. */
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { responseFacts } from '../call-log/response-facts.js';
import { type EditableList, findMessages, type Side } from '../shared/conversation.js';
import {
  costText,
  recordedOf,
  timeOf,
  tokens,
  usageFromTotals,
  usageFromUncached,
  validTime,
} from '../shared/recorded.js';
import type { Run } from '../shared/run-bundle.js';
import { firstAt, memberAt, TRACE_SHAPES, type TraceShape, type UsageShape, valueAt } from './trace-shapes.js';

interface Span {
  readonly shape: TraceShape;
  readonly node: JsonNode;
  readonly around?: JsonNode | undefined;
}

export interface PlatformRun extends Run, Span {}

export function runsIn(records: readonly JsonNode[]): PlatformRun[] {
  const runs = records.flatMap(spansIn).map((span, index) => runOf(span, index));
  const isRead = new Set(runs.filter(({ exchange }) => exchange.input ?? exchange.output).map(({ trace }) => trace));
  return runs.map((run) => (isRead.has(run.trace) || isInside(run.node) ? run : withTexts(run)));
}

function spansIn(record: JsonNode): Span[] {
  for (const shape of TRACE_SHAPES) {
    const listed = (shape.lists ?? []).map((path) => memberAt(record, path)).find((list) => list?.isArray);
    const nodes = listed?.items() ?? (shape.isList ? [] : [record]);
    const found = nodes.filter((node) => isSpan(node, shape));
    if (found.length > 0) return found.map((node) => ({ shape, node, around: listed && record }));
  }
  return [];
}

function isSpan(node: JsonNode, { has }: TraceShape): boolean {
  return has.every((paths) => paths.some((path) => memberAt(node, path) !== undefined));
}

/** Members that name the span around a span. */
const PARENTS = ['span_parents', 'parent_id', 'parent_span_id'];

function isInside(node: JsonNode): boolean {
  return PARENTS.some((key) => {
    const parent = node.get(key);
    return parent !== undefined && (parent.isArray ? parent.length > 0 : (parent.string ?? '') !== '');
  });
}

function runOf({ shape, node, around }: Span, index: number): PlatformRun {
  const input = memberAt(node, shape.input);
  const output = memberAt(node, shape.output);
  const isRequest = shape.isRequest?.(node) ?? true;
  const asked = isRequest || !isText(input) ? findMessages(input, 'user') : undefined;
  const mayBeText = isRequest || asked !== undefined;
  const answer = mayBeText || !isText(output) ? replyIn(output) : undefined;
  return {
    shape,
    node,
    around,
    trace: `${shape.name} ${firstAt(node, shape.trace)?.text ?? `#${index}`}`,
    nodes: [node],
    input,
    output,
    exchange: {
      input: asked,
      output: answer,
      isRequest,
      request: isRequest ? recordedIn({ shape, node }, answer) : undefined,
    },
  };
}

/** What an agent was told and said, where a trace has no requests with messages. */
function withTexts(run: PlatformRun): PlatformRun {
  if (!isText(run.input) || !isText(run.output)) return run;
  const exchange = { ...run.exchange, input: findMessages(run.input, 'user'), output: replyIn(run.output) };
  return { ...run, exchange };
}

function isText(node: JsonNode | undefined): boolean {
  return node !== undefined && nested(node).value.isString;
}

/** Weave may store a value elsewhere, and leave only a reference to it. */
const REFERENCE = /^weave:\/\/\//;
const SIDE: Side = 'assistant';

function replyIn(output: JsonNode | undefined): EditableList | undefined {
  return REFERENCE.test(output?.string ?? '') ? undefined : findMessages(output, SIDE);
}

function recordedIn({ shape, node }: Span, answer: EditableList | undefined): Recorded | undefined {
  const response = valueAt(node, shape.output);
  const facts = response?.isObject ? responseFacts(response, answer?.messages[0]?.lens) : undefined;
  const usage = facts?.usage ?? usageAt(node, shape.usage);
  return recordedOf({
    ...facts,
    model: facts?.model ?? modelOf({ shape, node }),
    time: facts?.time ?? timeIn(firstAt(node, shape.time)),
    usage,
    cost: usage === undefined ? undefined : (facts?.cost ?? costText(firstAt(node, shape.cost))),
    failed: usage === undefined && firstAt(node, shape.error) !== undefined ? true : undefined,
  });
}

/** A time in milliseconds since 1970. MLflow writes nanoseconds. */
function timeIn(node: JsonNode | undefined): number | undefined {
  const nanoseconds = /^\d{16,}$/.exec(node?.text ?? '')?.[0];
  return nanoseconds === undefined ? timeOf(node) : validTime(Math.floor(Number(nanoseconds) / 1e6));
}

export function modelOf({ shape, node }: Span): string | undefined {
  const stated = [firstAt(node, shape.model), ...[shape.output, shape.input].map((path) => modelIn(node, path))];
  return stated.find((model) => model?.isString)?.text;
}

function modelIn(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  return valueAt(node, path)?.get('model');
}

/** Counts may exclude what was cached: then it can be more than they are. */
function usageAt(node: JsonNode, { at, input, output, cacheRead, cacheWrite, reasoning }: UsageShape) {
  const counts = valueAt(node, at);
  const count = (key: string | undefined) => (key === undefined ? undefined : tokens(counts, key));
  const cached = { cacheRead: count(cacheRead), cacheWrite5m: count(cacheWrite), reasoning: count(reasoning) };
  const sent = count(input);
  const isWithout = sent !== undefined && sent < (cached.cacheRead ?? 0) + (cached.cacheWrite5m ?? 0);
  return (isWithout ? usageFromUncached : usageFromTotals)(sent, count(output), cached) as Usage | undefined;
}

/** The definitions of tools. */
export function toolsOf({ shape, node }: Span): JsonNode | undefined {
  const stated = [firstAt(node, shape.tools), valueAt(node, shape.input)?.get('tools')];
  return stated.find((tools) => tools?.isArray && tools.length > 0);
}
