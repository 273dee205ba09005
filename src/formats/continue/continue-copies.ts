/**
 * What repeats messages in a session of Continue: items of role `tool` repeat results, and `promptLogs` all that a
 * request sent.
 */
import { amend, type Json, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, ResultPart } from '../../transcript/types.js';
import type { MessageChange, Row } from '../format.js';
import { isKept, mapDeep } from '../shared/map-values.js';
import { isResult } from '../shared/parts.js';
import { removedTexts, withoutRemovedTexts } from '../shared/sync-duplicates.js';
import { messageIn, readItem } from './continue-read.js';

export function followEdits(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const changes = changesIn(rows, before);
  const removed = removedTexts(changes);
  const was = resultsIn(changes.map((change) => change.before));
  const now = resultsIn(rows.map(({ message }) => message));
  return rows.map(({ node, json }) => {
    if (node === undefined) return json;
    const callId = messageIn(node)?.get('toolCallId')?.string ?? '';
    if (was.has(callId)) return resultAfter(node, was.get(callId)!, now.get(callId));
    return withoutGone(node, json, removed);
  });
}

function changesIn(rows: readonly Row[], before: readonly JsonNode[]): MessageChange[] {
  const rowOf = new Map(rows.map((row) => [row.node?.at, row]));
  return before.map((node) => {
    const message = readItem(node);
    const row = rowOf.get(node.at);
    return { before: message, after: row?.json === node ? message : row?.message, json: row?.json };
  });
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, ResultPart> {
  const results = messages.flatMap(({ parts }) => parts.filter(isResult));
  return new Map(results.map((result) => [result.callId ?? '', result]));
}

function resultAfter(node: JsonNode, was: ResultPart, now: ResultPart | undefined): Json | undefined {
  if (now === undefined) return undefined;
  const text = joinTexts(now.content);
  if (text === joinTexts(was.content)) return node;
  return patch(node, { message: patch(messageIn(node)!, { content: text }), contextItems: [] });
}

/** A log shows what is left of the messages. */
function withoutGone(node: JsonNode, json: Json, removed: ReadonlyMap<string, string>): Json {
  const logs = node.get('promptLogs');
  if (logs === undefined || removed.size === 0) return json;
  const written = mapDeep(logs, (value) => (value.isString ? withoutRemovedTexts(value, removed, true) : undefined));
  return isKept(written) && written !== logs ? amend(node, json, { promptLogs: written }) : json;
}
