/**
 * Compressions in a session of Qwen Code (`chat_compression`): from there on, `compressedHistory` is sent in place of
 * all before it. What it says is read as one message of the user. Early versions kept calls and results of before in
 * it: those are copies, and are changed with what they repeat.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/session-api-history.ts (2026-11-29)
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import gemini from '../gemini/gemini-contents.js';
import { applyCuts, type CutResult, cutsBetween } from '../shared/apply-cuts.js';
import { tryRead } from '../shared/sync-copies.js';
import { HISTORY, historyIn, PAYLOAD } from './qwen-lines.js';

export function readCompression(raw: JsonNode): Message | undefined {
  const history = historyIn(raw);
  if (history === undefined) return undefined;
  const contents = history.items().flatMap((content) => tryRead(content, gemini) ?? []);
  const parts = contents.flatMap((content) => (repeats(content) ? [] : content.parts.filter(isText)));
  const kept = new Set(contents.flatMap(callIds));
  const keeps: Message['keeps'] = (sent) => sent.filter((earlier) => callIds(earlier).some((id) => kept.has(id)));
  return { role: 'user', parts, raw, keeps };
}

const isText = ({ type }: Part) => type === 'text';

function callIds({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? (part.callId ?? []) : []));
}

/** Whether a content repeats a call or a result. */
function repeats({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'call' || type === 'result');
}

function withHistory(raw: JsonNode, change: (content: JsonNode, message: Message) => Json | undefined): Json {
  const history = historyIn(raw)!;
  const contents = history.items().flatMap((content): Json[] => {
    const message = tryRead(content, gemini);
    const now = message === undefined ? content : change(content, message);
    return now === undefined ? [] : [now];
  });
  return patch(raw, { [PAYLOAD]: patch(raw.get(PAYLOAD)!, { [HISTORY]: patchItems(history, contents) }) });
}

/** Texts that were added follow those of the first content that is left. */
export function writeCompression(raw: JsonNode, parts: readonly Part[]): Json {
  const own = new Set(readCompression(raw)!.parts.map((part) => (part.raw as JsonNode).at));
  const placeOf = ({ raw: from }: Part) =>
    from instanceof JsonNode && from.source === raw.source && own.has(from.at) ? from.at : undefined;
  let added = parts.filter((part) => placeOf(part) === undefined);
  const written = withHistory(raw, (content, message) => {
    if (repeats(message) || !message.parts.some(isText)) return content;
    const now = message.parts.flatMap((part) =>
      isText(part) ? parts.filter((each) => placeOf(each) === (part.raw as JsonNode).at) : [part],
    );
    const all = now.length === 0 ? [] : [...now, ...added];
    if (all.length > 0) added = [];
    return all.length === 0 ? undefined : gemini.write({ ...message, parts: all });
  });
  if (added.length === 0) return written;
  const line = reparsed(written);
  const contents = [gemini.write({ role: 'user', parts: added }), ...historyIn(line)!.items()];
  return patch(line, { [PAYLOAD]: patch(line.get(PAYLOAD)!, { [HISTORY]: patchItems(historyIn(line)!, contents) }) });
}

/** The rows with the copies in compressions changed as what they repeat. */
export function syncCompressions(rows: readonly Row[], before: readonly JsonNode[], read: (raw: JsonNode) => Message) {
  if (!before.some((node) => historyIn(node) !== undefined)) return rows;
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const gone = new Set<string>();
  const cuts: CutResult[] = [];
  for (const node of before) {
    const row = rowOf.get(node);
    if (historyIn(node) !== undefined || row?.json === node) continue;
    const was = read(node);
    for (const id of goneIds(was, row?.message)) gone.add(id);
    if (row !== undefined) for (const cut of cutsBetween(was, row.message)) cuts.push(cut);
  }
  if (gone.size === 0 && cuts.length === 0) return rows;
  return rows.map((row) => {
    if (row.node === undefined || historyIn(row.node) === undefined) return row;
    const line = row.json === row.node ? row.node : reparsed(row.json);
    return { ...row, json: withHistory(line, (content, message) => synced(content, message, gone, cuts)) };
  });
}

/** Of calls and results that were removed; others have another id now. */
function goneIds(was: Message, now: Message | undefined): string[] {
  const [ids, left] = [callIds(was), now === undefined ? [] : callIds(now)];
  return left.length < ids.length ? ids.filter((id) => !left.includes(id)) : [];
}

function synced(
  content: JsonNode,
  message: Message,
  gone: ReadonlySet<string>,
  cuts: readonly CutResult[],
): Json | undefined {
  if (!repeats(message)) return content;
  const parts = message.parts.filter((part) => !callIds({ ...message, parts: [part] }).some((id) => gone.has(id)));
  if (parts.length === 0) return undefined;
  const left = parts.length === message.parts.length ? content : reparsed(gemini.write({ ...message, parts }));
  const own = cuts.filter(({ callId }) => callIds(message).includes(callId));
  return own.length === 0 ? left : applyCuts(left, own);
}

/** What the agent shows of a result (`toolCallResult`) is cut as the result; without its result it goes. */
export function syncShown(raw: JsonNode, before: Message, after: Message): { toolCallResult?: Json | undefined } {
  const shown = raw.get('toolCallResult');
  if (!shown?.isObject) return {};
  const id = shown.get('callId')?.string ?? '';
  if (goneIds(before, after).includes(id)) return { toolCallResult: undefined };
  const [ids, now] = [callIds(before), callIds(after)];
  const named = ids.length === now.length ? now[ids.indexOf(id)] : undefined;
  const cut = applyCuts(shown, cutsBetween(before, after));
  return { toolCallResult: named === undefined || named === id ? cut : patch(reparsed(cut), { callId: named }) };
}
