/**
 * Lists of model messages after a transform: approvals go with their calls, and new results get the list's spelling.
 */
import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { nodeOf } from './ai-sdk.js';
import { APPROVAL_REQUEST, APPROVAL_RESPONSE } from './vercel-model-read.js';

/** Removes approval responses whose requests are gone, and writes new results in version 4 if the list is of that. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const isV4 = before.some((node) => itemsOf(node).some((item) => nodeOf(item)?.get('args') !== undefined));
  const requests = rows.flatMap(({ json: row }) => requestIds(row));
  const removed = new Set(before.flatMap(requestIds).filter((id) => !requests.includes(id)));
  return rows.map(({ node, json: row }) => {
    if (node === undefined) return isV4 ? toVersion4(row) : row;
    const items = itemsOf(row);
    const kept = items.filter((item) => !removed.has(approvalIn(item, APPROVAL_RESPONSE) ?? ''));
    if (kept.length === items.length) return row;
    return kept.length === 0 ? undefined : patch(node, { content: patchItems(node.get('content')!, kept) });
  });
}

function requestIds(row: Json): string[] {
  return itemsOf(row).flatMap((item) => approvalIn(item, APPROVAL_REQUEST) ?? []);
}

function itemsOf(row: Json): readonly Json[] {
  const content = contentOf(row);
  if (content instanceof JsonNode) return content.items();
  return content instanceof ArrayEdit ? content.items : [];
}

function contentOf(row: Json): Json | undefined {
  if (row instanceof ObjectEdit) return row.fields.get('content') ?? row.base.get('content');
  return row instanceof JsonNode ? row.get('content') : undefined;
}

function approvalIn(item: Json, type: string): string | undefined {
  const part = nodeOf(item);
  return part?.get('type')?.string === type ? part.get('approvalId')?.string : undefined;
}

/** A new message in version 4, whose results are bare values. */
function toVersion4(row: Json): Json {
  const { role, content } = row as JsonFields;
  if (role !== 'tool') return row;
  const results = (content as readonly JsonFields[]).map(({ output, ...part }) => {
    const { type, value } = output as JsonFields;
    return { ...part, result: value, ...(String(type).startsWith('error') ? { isError: true } : {}) };
  });
  return { role, content: results };
}
