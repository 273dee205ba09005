/**
 * Repetition in `ui_messages.json`: a request repeats what the user wrote before it, and a request that failed is
 * repeated by the next one. Only the last one is a message; what it repeats follows its edits.
 */
import { type Json, patch } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { isClines, kindOf, nameOf, readRow, requestNode, shownResultKey } from './cline-ui-read.js';

/** Cline's description of the workspace behind a request, anew each time. */
const ENVIRONMENT = '\n\n<environment_details>';

/** The rows that the next request repeats get the role `meta`. */
export function loadLog(messages: readonly Message[]): readonly Message[] {
  const repeated = repeatedRows(messages);
  if (repeated.size === 0) return messages;
  return messages.map((message) =>
    repeated.has(message.raw) ? { role: 'meta', parts: [], raw: message.raw } : message,
  );
}

/** From the value of a row to that of the request which repeats it. */
function repeatedRows(messages: readonly Message[]): ReadonlyMap<unknown, unknown> {
  const repeated = new Map<unknown, unknown>();
  let waiting: readonly { readonly raw: unknown; readonly text: string }[] = [];
  for (const { role, parts, raw } of messages) {
    if (role === 'assistant' && isReply(raw)) waiting = [];
    if (role === 'meta' || role === 'assistant' || !(raw instanceof JsonNode)) continue;
    const request = requestNode(raw)?.text;
    if (request !== undefined) {
      for (const before of waiting) if (request.includes(before.text)) repeated.set(before.raw, raw);
      waiting = [{ raw, text: request.split(ENVIRONMENT)[0]! }];
    } else if (kindOf(raw) === 'user' && parts.length === 1)
      waiting = [...waiting, { raw, text: raw.get('text')!.text }];
  }
  return repeated;
}

/** Whether the model wrote a row: the list of what is to do is also told after the user changed it. */
function isReply(raw: unknown): boolean {
  return !(raw instanceof JsonNode) || nameOf(raw) !== 'task_progress';
}

/** Empties or removes what repeats a text that no message says any more. */
export function syncLog(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const isUnchanged = rows.length === before.length && rows.every(({ node, json }) => node === json);
  if (isUnchanged) return rows.map(({ json }) => json);
  const messages = before.map(readRow);
  const repeated = repeatedRows(messages);
  const rowOf = new Map(rows.map((row) => [row.node as unknown, row]));
  const logged = loadLog(messages).map(said).join('\n');
  const left = rows.map(({ message }) => said(message)).join('\n');
  const isGone = (text: string) => text !== '' && logged.includes(text) && !left.includes(text);
  return rows.map(({ node, message, json }) => {
    if (node === undefined || json !== node) return json;
    if (repeated.has(node)) return repetitionOf(node, rowOf.get(lastOf(repeated, node)));
    return message.role === 'meta' ? withoutGone(node, isGone) : withoutShownResult(node, isGone);
  });
}

/** A request that failed may be repeated by another one that failed. */
function lastOf(repeated: ReadonlyMap<unknown, unknown>, node: unknown): unknown {
  let last = node;
  while (repeated.has(last)) last = repeated.get(last);
  return last;
}

/** A row after the edit of the request that repeats it; undefined if that was removed. */
function repetitionOf(node: JsonNode, by: Row | undefined): Json | undefined {
  if (by === undefined || by.json === by.node) return by && node;
  const text = node.get('text')!;
  if (requestNode(node) === undefined) return said(by.message).includes(text.text) ? node : patch(node, { text: '' });
  const own = nested(text);
  return patch(node, { text: renested(own, patch(own.value, { request: '' })) });
}

/** Output of a tool that stands in a result, too. */
function withoutGone(node: JsonNode, isGone: (text: string) => boolean): Json {
  const text = node.get('text');
  return text?.isString && isGone(text.text) ? patch(node, { text: '' }) : node;
}

function said({ parts }: Message): string {
  return parts.flatMap(textsIn).join('\n');
}

function textsIn(part: Part): readonly string[] {
  if (part.type === 'result') return part.content.flatMap(textsIn);
  return 'text' in part && part.text !== undefined ? [textOf(part.text)] : [];
}

/** A row of a call of Cline shows what a search found. */
function withoutShownResult(node: JsonNode, isGone: (text: string) => boolean): Json {
  const text = node.get('text');
  if (!text?.isString || kindOf(node) !== 'call' || !isClines(node)) return node;
  const own = nested(text);
  const key = shownResultKey(node, own.value);
  const shown = key === undefined ? undefined : own.value.get(key)?.string;
  if (shown === undefined || !isGone(shown)) return node;
  return patch(node, { text: renested(own, patch(own.value, { [key!]: '' })) });
}
