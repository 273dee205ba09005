/**
 * OTLP as JSON, as the file exporter of the OpenTelemetry Collector writes it: a batch a line, spans in scopes in resources, attributes
 * as a list of keys and values. What was said may also stand in the attributes of an event of a span.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import { listedAttributes } from './attributes.js';
import { MISSING, type Span, spanBundle, spanTime } from './spans.js';

const RESOURCES = ['resourceSpans', 'resource_spans'];
const SCOPES = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'];

export default defineFormat({
  ...embeddedFormat,
  id: 'otlp',
  explainEmpty: (record) => (listAt(record, RESOURCES) === undefined ? undefined : MISSING),
  bundle: spanBundle({
    spansIn: (record) =>
      spansOf(record).flatMap((span) => [spanOf(span, span), ...eventsOf(span).map((event) => spanOf(event, span))]),
    write(record, attributes) {
      let next = 0;
      const written = (node: JsonNode): JsonFields => {
        const value = attributes[next++]!;
        return node.get('attributes') === undefined ? {} : { attributes: value };
      };
      const writeSpan = (span: JsonNode): Json => {
        const own = written(span);
        const events = span.get('events');
        return patch(span, {
          ...own,
          events: patchEach(events, (event) => patch(event, written(event))),
        });
      };
      return mapList(record, RESOURCES, (resource) =>
        mapList(resource, SCOPES, (scope) => mapList(scope, ['spans'], writeSpan)),
      );
    },
  }),
});

function listAt(node: JsonNode, names: readonly string[]): JsonNode | undefined {
  return names.map((name) => node.get(name)).find((list) => list?.isArray);
}

function spansOf(record: JsonNode): JsonNode[] {
  const resources = listAt(record, RESOURCES)?.items() ?? [];
  return resources
    .flatMap((resource) => listAt(resource, SCOPES)?.items() ?? [])
    .flatMap((scope) => scope.get('spans')?.items() ?? []);
}

function eventsOf(span: JsonNode): JsonNode[] {
  return span.get('events')?.items() ?? [];
}

function spanOf(node: JsonNode, span: JsonNode): Span {
  return {
    traceId: (span.get('traceId') ?? span.get('trace_id'))?.string ?? '',
    attributes: listedAttributes(node.get('attributes')),
    time: spanTime(span.get('startTimeUnixNano') ?? span.get('start_time_unix_nano')),
  };
}

function mapList(node: JsonNode, names: readonly string[], change: (item: JsonNode) => Json): Json {
  const key = names.find((name) => node.get(name)?.isArray);
  const list = key === undefined ? undefined : node.get(key)!;
  return list === undefined ? node : patch(node, { [key!]: patchEach(list, change) });
}
