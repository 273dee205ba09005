/**
 * OpenInference spans as Phoenix and OpenTelemetry's SDKs export them: objects with `context` (or the ids) and
 * `attributes`, one per line, in an array, or in `data` of an API response. Attributes are nested or under dotted keys;
 * rows of a table of spans have them as columns (`attributes.llm.model_name`).
 * https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html
 */
import { type Json, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import type { Attributes, Span } from './attributes.js';
import { objectAttributes } from './object-attributes.js';
import { spanTime } from './span-usage.js';
import { NO_MESSAGES, spanBundle } from './spans.js';

/** The prefix of columns that are attributes. */
const COLUMN_PREFIX = 'attributes.';
/** Members of a record that may list spans. */
const LIST_KEYS = ['data', 'spans'];

export default defineFormat({
  ...embeddedFormat,
  id: 'openinference',
  explainEmpty: (record) => (spansOf(record).length > 0 ? NO_MESSAGES : undefined),
  bundle: spanBundle({
    spansIn: (record) => spansOf(record).map(spanOf),
    write(record, attributes, others) {
      const list = listKeyOf(record);
      if (list === undefined) return isSpan(record) ? writeSpan(record, attributes[0]!, others) : record;
      let next = 0;
      return patch(record, {
        [list]: patchEach(record.get(list), (item) =>
          isSpan(item) ? writeSpan(item, attributes[next++]!, others) : item,
        ),
      });
    },
  }),
});

function listKeyOf(record: JsonNode): string | undefined {
  return isSpan(record) ? undefined : LIST_KEYS.find((key) => record.get(key)?.items().some(isSpan));
}

function spansOf(record: JsonNode): readonly JsonNode[] {
  const list = listKeyOf(record);
  return list === undefined ? [record].filter(isSpan) : record.get(list)!.items().filter(isSpan);
}

function isSpan(node: JsonNode): boolean {
  if (node.get('attributes')?.isObject) return traceIdOf(node) !== undefined;
  return (
    node.get('context.trace_id') !== undefined && node.members().some(({ key }) => key.text.startsWith(COLUMN_PREFIX))
  );
}

function traceIdOf(node: JsonNode): JsonNode | undefined {
  return (
    node.get('context')?.get('trace_id') ??
    node.get('context')?.get('traceId') ??
    node.get('context.trace_id') ??
    node.get('trace_id') ??
    node.get('traceId')
  );
}

/** Whether a span is a row of a table. */
function isRow(node: JsonNode): boolean {
  return !node.get('attributes')?.isObject;
}

function attributesOf(node: JsonNode): Attributes {
  return isRow(node) ? objectAttributes(node, COLUMN_PREFIX) : objectAttributes(node.get('attributes')!);
}

function spanOf(node: JsonNode): Span {
  const attributes = attributesOf(node);
  const context = node.get('context');
  const id = context?.get('span_id') ?? context?.get('spanId') ?? node.get('context.span_id');
  const status = node.get('status_code') ?? node.get('statusCode') ?? node.get('status')?.get('status_code');
  return {
    traceId: traceIdOf(node)?.string ?? '',
    id: (id ?? node.get('span_id') ?? node.get('spanId'))?.string,
    parentId: (node.get('parent_id') ?? node.get('parentId') ?? node.get('parentSpanId'))?.string,
    isError: status?.string === 'ERROR',
    isEvent: false,
    attributes,
    details: [attributes],
    time: spanTime(node.get('start_time') ?? node.get('startTime')),
  };
}

/** A span with other attributes; `others` writes its other members, since events may repeat messages. */
function writeSpan(node: JsonNode, attributes: Json, others: (value: JsonNode) => Json): Json {
  if (isRow(node)) return attributes;
  return patch(
    node,
    Object.fromEntries(
      node.members().map(({ key, value }) => [key.text, key.text === 'attributes' ? attributes : others(value)]),
    ),
  );
}
