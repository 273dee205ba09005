/**
 * Log records of OpenTelemetry: OTLP batches, as the Collector's file exporter writes them, and records of an SDK, one
 * object each. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Attributes } from '../otel/attributes.js';
import { objectAttributes } from '../otel/object-attributes.js';
import { listedAttributes } from '../otel/otlp-attributes.js';
import { spanTime } from '../otel/span-usage.js';
import { costText, isCount, recordedOf, timeOf, usageFromTotals, usageFromUncached } from '../shared/recorded.js';
import { type AgentEvent, type AgentUsage, agentEvents, agentPrefixes } from './agent-events.js';

/** What the agents' events in a record state of their requests: of an event without a request, only the session. */
export function telemetryIn(record: JsonNode): readonly Recorded[] {
  const batches = record.get('resourceLogs') ?? record.get('resource_logs');
  if (batches === undefined) return record.get('attributes')?.isObject ? eventOf(record, objectAttributes) : [];
  return batches
    .items()
    .flatMap((batch) => (batch.get('scopeLogs') ?? batch.get('scope_logs'))?.items() ?? [])
    .flatMap((scope) => (scope.get('logRecords') ?? scope.get('log_records'))?.items() ?? [])
    .flatMap((log) => eventOf(log, listedAttributes));
}

function eventOf(log: JsonNode, attributesOf: (node: JsonNode) => Attributes): Recorded[] {
  const list = log.get('attributes');
  if (list === undefined) return [];
  const attributes = attributesOf(list);
  const body = log.get('body') ?? log.get('_body');
  const stated = [attributes.get('event.name'), log.get('eventName'), body?.get('stringValue') ?? body]
    .map((node) => node?.string)
    .filter((name) => name !== undefined);
  const name = stated.find((text) => agentPrefixes.some((prefix) => text.startsWith(prefix)));
  if (name === undefined) return [];
  const event = agentEvents.find((known) => known.name === name && fits(known, attributes));
  const time =
    timeOf(attributes.get('event.timestamp')) ?? spanTime(log.get('timeUnixNano') ?? log.get('time_unix_nano'));
  return [event === undefined ? { sessionId: sessionOf(attributes) } : recordedBy(event, attributes, time)];
}

function fits({ has = {} }: AgentEvent, attributes: Attributes): boolean {
  return Object.entries(has).every(([key, value]) => attributes.get(key)?.string === value);
}

function sessionOf(attributes: Attributes): string | undefined {
  return (attributes.get('session.id') ?? attributes.get('conversation.id'))?.string;
}

function recordedBy(event: AgentEvent, attributes: Attributes, time: number | undefined): Recorded {
  const text = (key: string | undefined) => (key === undefined ? undefined : attributes.get(key)?.string || undefined);
  const sessionId = text(event.session);
  const hasFailed = event.error !== undefined && attributes.get(event.error) !== undefined;
  const usage = event.usage && usageOf(event.usage, attributes);
  if (usage === undefined && !hasFailed) return { sessionId };
  const cost = event.cost === undefined ? undefined : attributes.get(event.cost);
  return recordedOf({
    requestId: text(event.request),
    sessionId,
    model: text('model'),
    time,
    usage,
    cost: hasFailed ? undefined : costOf(cost),
    ...(text(event.speed) === 'fast' ? { billing: { tier: 'fast' } } : {}),
    ...(hasFailed ? { failed: true } : {}),
  })!;
}

/** Older versions write numbers as strings. */
function costOf(cost: JsonNode | undefined): string | undefined {
  return cost?.isString ? /^\d+(?:\.\d+)?(?:e-\d\d?)?$/.exec(cost.text)?.[0] : costText(cost);
}

function usageOf(keys: AgentUsage, attributes: Attributes): Usage | undefined {
  const count = (key: string | undefined) => {
    const node = key === undefined ? undefined : attributes.get(key);
    const number = node?.isString && node.text !== '' ? Number(node.text) : node?.number;
    return isCount(number) ? number : undefined;
  };
  const sum = (names: readonly string[]) => {
    const counts = names.map(count).filter((number) => number !== undefined);
    return counts.length === 0 ? undefined : counts.reduce((total, number) => total + number, 0);
  };
  const read = keys.inputIncludesCache ? usageFromTotals : usageFromUncached;
  return read(sum(keys.input), sum(keys.output), {
    cacheRead: count(keys.cacheRead),
    cacheWrite5m: count(keys.cacheWrite),
    reasoning: count(keys.reasoning),
  });
}
