/**
 * Lists of model messages after a transform: approvals go with their calls, and new results get the list's spelling.
 */
import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { madeHere } from '../shared/fields.js';
import { nodeOf } from './ai-sdk.js';
import { APPROVAL_REQUEST, APPROVAL_RESPONSE } from './vercel-model-read.js';

/** Removes approval responses whose requests are gone, and writes new messages as the list has them. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const added = rows.some(({ node }) => node === undefined) ? spelling(before) : undefined;
  const asked = before.flatMap(requestIds);
  const requests = new Set(asked.length === 0 ? [] : rows.flatMap(({ json: row }) => requestIds(row)));
  const removed = new Set(asked.filter((id) => !requests.has(id)));
  if (added === undefined && removed.size === 0) return rows.map(({ json }) => json);
  return rows.map(({ node, json: row }) => {
    if (node === undefined) return spelled(row as JsonFields, added!);
    const items = itemsOf(row);
    const kept = items.filter((item) => !removed.has(approvalIn(item, APPROVAL_RESPONSE) ?? ''));
    if (kept.length === items.length) return row;
    return kept.length === 0 ? undefined : patch(node, { content: patchItems(node.get('content')!, kept) });
  });
}

/** How a list writes its messages. */
function spelling(list: readonly JsonNode[]) {
  return {
    isPrompt: list.every((node) => !node.get('content')?.isString || node.get('role')?.string === 'system'),
    isV4: list.some((node) => itemsOf(node).some((item) => nodeOf(item)?.get('args') !== undefined)),
  };
}

/** Of what was read: an agent hands it over with each request. */
const known = new WeakMap<JsonNode, readonly string[]>();
const NONE: readonly string[] = [];

function requestIds(row: Json): readonly string[] {
  const before = row instanceof JsonNode ? known.get(row) : undefined;
  if (before !== undefined) return before;
  const found = itemsOf(row).flatMap((item) => approvalIn(item, APPROVAL_REQUEST) ?? []);
  const ids = found.length === 0 ? NONE : found;
  if (row instanceof JsonNode) known.set(row, ids);
  return ids;
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

/**
 * A new message in version 4, whose results are bare values, or for a prompt of a language model, where only the system
 * prompt is a string.
 */
function spelled(row: JsonFields, list: ReturnType<typeof spelling>): Json {
  const { role, content } = row;
  if (role === 'tool' && list.isV4) return { role, content: (content as readonly Json[]).map(toVersion4) };
  const isText = typeof content === 'string' || (content instanceof JsonNode && content.isString);
  return list.isPrompt && role !== 'system' && isText ? { ...row, content: [{ type: 'text', text: content }] } : row;
}

/** A result that was read stays as it is. */
function toVersion4(json: Json): Json {
  const made = madeHere(json);
  if (made === undefined) return json;
  const { output, ...part } = made;
  const { type, value } = output as JsonFields;
  return { ...part, result: value, ...(String(type).startsWith('error') ? { isError: true } : {}) };
}
