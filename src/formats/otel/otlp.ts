/**
 * OTLP as JSON, as the OpenTelemetry Collector's file exporter writes it: one batch per line; spans in scopes in
 * resources; attributes as a list of keys and values. Messages may also be in the attributes of a span's event.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import type { Span } from './attributes.js';
import { listedAttributes } from './otlp-attributes.js';
import { spanTime } from './span-usage.js';
import { NO_MESSAGES, spanBundle } from './spans.js';

const RESOURCES_KEYS = ['resourceSpans', 'resource_spans'];
const SCOPES_KEYS = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'];

export default defineFormat({
  ...embeddedFormat,
  id: 'otlp',
  explainEmpty: (record) => (listAt(record, RESOURCES_KEYS) === undefined ? undefined : NO_MESSAGES),
  bundle: spanBundle({
    spansIn: (record) =>
      spansOf(record).flatMap((node) => {
        const details = [node, ...eventsOf(node)].map((each) => listedAttributes(each.get('attributes')));
        const about = aboutOf(node);
        return details.map((own, index) => ({ ...about, attributes: own, details, isEvent: index > 0 }));
      }),
    write(record, attributes) {
      let next = 0;
      const nextAttributes = (node: JsonNode): JsonFields => {
        const value = attributes[next++]!;
        return node.get('attributes') === undefined ? {} : { attributes: value };
      };
      const writeSpan = (span: JsonNode): Json => {
        const own = nextAttributes(span); // before those of its events
        const events = patchEach(span.get('events'), (event) => patch(event, nextAttributes(event)));
        return patch(span, { ...own, events });
      };
      return mapList(record, RESOURCES_KEYS, (resource) =>
        mapList(resource, SCOPES_KEYS, (scope) => mapList(scope, ['spans'], writeSpan)),
      );
    },
  }),
});

function listAt(node: JsonNode, names: readonly string[]): JsonNode | undefined {
  return names.map((name) => node.get(name)).find((list) => list?.isArray);
}

function spansOf(record: JsonNode): JsonNode[] {
  const resources = listAt(record, RESOURCES_KEYS)?.items() ?? [];
  return resources
    .flatMap((resource) => listAt(resource, SCOPES_KEYS)?.items() ?? [])
    .flatMap((scope) => scope.get('spans')?.items() ?? []);
}

function eventsOf(span: JsonNode): JsonNode[] {
  return span.get('events')?.items() ?? [];
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
const ERROR_CODES = new Set(['2', 'STATUS_CODE_ERROR']);

function aboutOf(span: JsonNode): Omit<Span, 'attributes' | 'details' | 'isEvent'> {
  return {
    traceId: (span.get('traceId') ?? span.get('trace_id'))?.string ?? '',
    id: (span.get('spanId') ?? span.get('span_id'))?.string,
    parentId: (span.get('parentSpanId') ?? span.get('parent_span_id'))?.string,
    isError: ERROR_CODES.has(span.get('status')?.get('code')?.text ?? ''),
    time: spanTime(span.get('startTimeUnixNano') ?? span.get('start_time_unix_nano')),
  };
}

/** A record with each element of the list under one of these names replaced. */
function mapList(node: JsonNode, names: readonly string[], change: (item: JsonNode) => Json): Json {
  const key = names.find((name) => node.get(name)?.isArray);
  const list = key === undefined ? undefined : node.get(key)!;
  return list === undefined ? node : patch(node, { [key!]: patchEach(list, change) });
}
