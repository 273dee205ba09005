/**
 * OpenInference spans as Phoenix and the SDKs of OpenTelemetry export them: objects with `context` (or the ids themselves) and
 * `attributes`, one a line, in an array, or in `data` of an API's answer; attributes under dotted keys or inside each other. Rows of a
 * table of spans have the attributes as columns (`attributes.llm.model_name`).
 * https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html
 */
import { type Json, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import { type Attributes, objectAttributes } from './attributes.js';
import { MISSING, type Span, spanBundle, spanTime } from './spans.js';

const COLUMN = 'attributes.';
const LISTS = ['data', 'spans'];

export default defineFormat({
  ...embeddedFormat,
  id: 'openinference',
  explainEmpty: (record) => (spansOf(record).length > 0 ? MISSING : undefined),
  bundle: spanBundle({
    spansIn: (record) => spansOf(record).map(spanOf),
    write(record, attributes, others) {
      const list = listIn(record);
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

function listIn(record: JsonNode): string | undefined {
  return isSpan(record) ? undefined : LISTS.find((key) => record.get(key)?.items().some(isSpan));
}

function spansOf(record: JsonNode): readonly JsonNode[] {
  const list = listIn(record);
  return list === undefined ? [record].filter(isSpan) : record.get(list)!.items().filter(isSpan);
}

function isSpan(node: JsonNode): boolean {
  if (node.get('attributes')?.isObject) return traceIdOf(node) !== undefined;
  return node.get('context.trace_id') !== undefined && node.members().some(({ key }) => key.text.startsWith(COLUMN));
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

function isColumns(node: JsonNode): boolean {
  return !node.get('attributes')?.isObject;
}

function attributesOf(node: JsonNode): Attributes {
  return isColumns(node) ? objectAttributes(node, COLUMN) : objectAttributes(node.get('attributes')!);
}

function spanOf(node: JsonNode): Span {
  return {
    traceId: traceIdOf(node)?.string ?? '',
    attributes: attributesOf(node),
    time: spanTime(node.get('start_time') ?? node.get('startTime')),
  };
}

/** All members but the attributes: events may repeat what was said. */
function writeSpan(node: JsonNode, attributes: Json, others: (value: JsonNode) => Json): Json {
  if (isColumns(node)) return attributes;
  return patch(
    node,
    Object.fromEntries(
      node.members().map(({ key, value }) => [key.text, key.text === 'attributes' ? attributes : others(value)]),
    ),
  );
}
