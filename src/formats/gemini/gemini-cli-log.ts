/**
 * What a log of Gemini CLI says more than once. A message is written again as it grows, `$set` and `$patch` lines hold messages, or
 * what becomes of them, and what a tool answered may stand beside its call as a message of the user. Where a call goes, or its result
 * is cut, it goes and is cut there too.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts
 */

import { type Json, type JsonFields, type JsonPlain, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart, Text } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { readPart, writePart } from './gemini-contents.js';

/** The messages of a log as the CLI loads them; what it does not is a record. */
export function loadLog(messages: readonly Message[]): readonly Message[] {
  const nodes = messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined));
  const { standing } = replay(nodes, messages);
  return messages.every(({ role }, index) => role === 'meta' || standing.has(index))
    ? messages
    : messages.map((message, index) => (standing.has(index) ? message : { role: 'meta', parts: [], raw: message.raw }));
}

/** The rows with everything that is said again changed alike, and with whole records for what was added. */
export function mendLog(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): readonly (Json | undefined)[] {
  const messages = before.map(read);
  const { standing, earlier, targets } = replay(before, messages);
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const isSame = (index: number) => rowOf.get(before[index]!)?.json === before[index];
  const changed = [...standing].filter((index) => !isSame(index));
  const goneIds = new Set(changed.flatMap((index) => (rowOf.has(before[index]!) ? [] : [idOf(before[index]!)!])));
  const fates =
    changed.length === 0
      ? new Map()
      : fatesOf([...standing].map((index) => [messages[index]!, rowOf.get(before[index]!)?.message]));
  const indexOf = new Map(before.map((node, index) => [node, index]));
  const added = new Map<string, Json[]>(); // behind the message of that id
  let neighbour = before.find((_, index) => standing.has(index)) ?? before[0];
  const written = rows.map(({ node, json }): Json | undefined => {
    if (node === undefined) {
      const id = (neighbour && idOf(neighbour)) ?? '';
      const behind = added.get(id) ?? [];
      added.set(id, behind);
      const record = whole(json as JsonFields, neighbour, `${id}\n${behind.length}`);
      behind.push(record);
      return record;
    }
    const index = indexOf.get(node)!;
    if (!standing.has(index)) return earlier.has(index) && !isSame(earlier.get(index)!) ? undefined : node;
    neighbour = node;
    return json;
  });
  if (fates.size === 0 && goneIds.size === 0 && added.size === 0) return written;
  const trimListed = (list: JsonNode) =>
    patchItems(
      list,
      list.items().flatMap((item): Json[] => {
        const id = idOf(item) ?? '';
        const kept = goneIds.has(id) ? undefined : trimMessage(item, fates);
        return [
          ...(kept !== undefined
            ? [kept]
            : targets.has(id)
              ? [patch(item, { content: [], toolCalls: undefined })]
              : []),
          ...(added.get(id) ?? []),
        ];
      }),
    );
  return written.map((json, at) => {
    const { node } = rows[at]!;
    if (node === undefined || json !== node || standing.has(indexOf.get(node)!)) return json;
    if (idOf(node) !== undefined) return trimMessage(node, fates) ?? (targets.has(idOf(node)!) ? node : undefined);
    return trimRecord(node, fates, trimListed);
  });
}

// --- what the CLI loads

interface Replay {
  /** The rows that are messages. */
  readonly standing: ReadonlySet<number>;
  /** Rows that a later one writes again, and the last of those. */
  readonly earlier: ReadonlyMap<number, number>;
  /** Messages that the log rewinds to: where the CLI does not find one, it forgets all. */
  readonly targets: ReadonlySet<string>;
}

/**
 * A message stands where its id is written for the last time, unless the log was rewound to before it. A list of messages (the CLI
 * compressed what was said, or took something back) changes what can be rewound, not what was said.
 */
function replay(nodes: readonly (JsonNode | undefined)[], messages: readonly Message[]): Replay {
  const copies: number[][] = []; // the rows that write one message, again and again
  const copiesOf = new Map<string, number[]>();
  const standing = new Set<number>();
  const targets = new Set<string>();
  let loaded = new Set<string>(); // ids of what the CLI has loaded so far
  nodes.forEach((node, index) => {
    if (node === undefined) return;
    const target = node.get('$rewindTo')?.string;
    const id = idOf(node);
    const list = listIn(node);
    if (target !== undefined) {
      targets.add(target);
      const ids = [...loaded];
      for (const rewound of ids.slice(Math.max(0, ids.indexOf(target)))) {
        standing.delete(copiesOf.get(rewound)?.at(-1) ?? -1);
        copiesOf.delete(rewound);
        loaded.delete(rewound);
      }
    } else if (id !== undefined) {
      loaded.add(id);
      const rows = copiesOf.get(id) ?? [];
      if (rows.length === 0) copies.push(rows);
      standing.delete(rows.at(-1) ?? -1);
      copiesOf.set(id, rows);
      rows.push(index);
      if (messages[index]!.role !== 'meta') standing.add(index);
    } else if (list !== undefined) loaded = new Set(list.items().flatMap((item) => idOf(item) ?? []));
  });
  const earlier = new Map(copies.flatMap((rows) => rows.slice(0, -1).map((row) => [row, rows.at(-1)!] as const)));
  const answered = new Set<string | undefined>();
  for (const index of standing)
    if (messages[index]!.role === 'assistant')
      for (const part of messages[index]!.parts) if (part.type === 'result') answered.add(part.callId);
  for (const index of standing) {
    const results =
      messages[index]!.role === 'tool' ? messages[index]!.parts.filter((part) => part.type === 'result') : [];
    if (results.length > 0 && results.every(({ callId }) => callId !== undefined && answered.has(callId)))
      standing.delete(index);
  }
  return { standing, earlier, targets };
}

/** The id of a message; what changes one has none of its own. */
export function idOf(node: JsonNode): string | undefined {
  return node.get('$patch') === undefined ? node.get('id')?.string : undefined;
}

/** The messages that a line holds as a list: a `$set` line, or a header. */
export function listIn(node: JsonNode): JsonNode | undefined {
  const list = (node.get('$set') ?? node).get('messages');
  return list?.isArray ? list : undefined;
}

/** A line that was added, with what its neighbours have. */
function whole({ id, timestamp, ...rest }: JsonFields, neighbour: JsonNode | undefined, place: string): JsonPlain {
  return { id: id ?? derivedId(place, rest), timestamp: timestamp ?? neighbour?.get('timestamp'), ...rest };
}

// --- what becomes of a call, wherever it is said again

/** By the id of the call. */
export type Fates = ReadonlyMap<string, Fate>;

interface Fate {
  readonly isGone?: boolean;
  /** Another id. */
  readonly id?: string | undefined;
  /** Other arguments. */
  readonly input?: Text;
  /** Another result, or the first one. */
  readonly result?: ResultPart;
}

/** What became of the calls of messages, and of their results. A fate is known by an id that no other call has kept. */
export function fatesOf(changes: readonly (readonly [before: Message, after: Message | undefined])[]): Fates {
  const fates = new Map<string, Fate>();
  for (const [before, after] of changes)
    for (const part of before.parts)
      if ((part.type === 'call' || part.type === 'result') && part.callId !== undefined)
        fates.set(part.callId, { ...fates.get(part.callId), ...fateOf(part, part.callId, after?.parts ?? []) });
  for (const { parts } of changes.flatMap(([, after]) => after ?? [])) {
    for (const part of parts) {
      const fate = part.type === 'call' && part.callId !== undefined ? fates.get(part.callId) : undefined;
      if (fate !== undefined) fates.set((part as CallPart).callId!, { ...fate, isGone: false, id: undefined });
    }
  }
  for (const [id, fate] of fates)
    if (Object.values(fate).every((value) => value === undefined || value === false)) fates.delete(id);
  return fates;
}

function fateOf(part: CallPart | ResultPart, callId: string, after: readonly Part[]): Fate {
  const left = after.find(
    (candidate) => candidate.type === part.type && candidate.raw instanceof JsonNode && candidate.raw.is(part.raw),
  );
  if (part.type === 'result')
    return left?.type === 'result' && joinTexts(left.content) !== joinTexts(part.content) ? { result: left } : {};
  if (left?.type !== 'call') return { isGone: true };
  const answer = after.find(
    (candidate) => candidate.type === 'result' && candidate.raw === undefined && candidate.callId === left.callId,
  );
  return {
    ...(left.callId === callId ? {} : { id: left.callId }),
    ...(isSameText(left.input, part.input) ? {} : { input: left.input }),
    ...(answer?.type === 'result' ? { result: answer } : {}),
  };
}

function isSameText(text: Text, other: Text): boolean {
  return text === other || (text instanceof JsonNode && text.is(other));
}

/** A message whose calls and results change alike; undefined where nothing of it is left. */
function trimMessage(node: JsonNode, fates: Fates): Json | undefined {
  const calls = node.get('toolCalls');
  const content = node.get('content');
  const keptCalls = patchEach(calls, (entry) => trimEntry(entry, fates));
  const keptContent = patchEach(content, (part) => trimPart(part, fates));
  if (keptCalls === calls && keptContent === content) return node;
  const isEmpty = (value: Json | undefined) =>
    value === undefined ||
    (value instanceof JsonNode
      ? value.isNull || value.string === '' || value.text === '[]'
      : 'items' in (value as object) && (value as { items: readonly Json[] }).items.length === 0);
  if (isEmpty(keptCalls) && isEmpty(keptContent)) return undefined;
  return patch(node, {
    content: keptContent,
    toolCalls: calls !== undefined && isEmpty(keptCalls) ? undefined : keptCalls,
  });
}

function trimEntry(entry: JsonNode, fates: Fates): Json | undefined {
  const fate = fates.get(entry.get('id')?.string ?? '');
  if (fate?.isGone) return undefined;
  const result = present(entry, 'result');
  if (result === undefined) {
    const fields = fate?.result === undefined ? {} : answerFields(fate.result);
    return patch(entry, { ...inputFields(fate), ...fields });
  }
  const text = fate?.result === undefined ? undefined : joinTexts(fate.result.content);
  const kept = result.isArray
    ? patchEach(result, (part) => trimPart(part, fates))
    : result.isString && text !== undefined && result.text.length > text.length
      ? text
      : result.isObject
        ? (trimPart(result, fates) ?? [])
        : result;
  return patch(entry, {
    ...inputFields(fate),
    result: kept,
    ...(text === undefined ? {} : displayFields(entry, text)),
  });
}

function inputFields(fate: Fate | undefined): JsonFields {
  return {
    ...(fate?.id === undefined ? {} : { id: fate.id }),
    ...(fate?.input === undefined ? {} : { args: jsonValue(fate.input), description: undefined }),
  };
}

/** What a tool did not answer, as the CLI writes it for a call that was cancelled. */
export function answerFields({ raw: _, ...answer }: ResultPart): JsonFields {
  return { result: [writePart(answer)], status: answer.isError ? 'cancelled' : 'success' };
}

/** What is shown of a result repeats it: no more of it stays than of the result. */
export function displayFields(entry: JsonNode, text: string): JsonFields {
  const display = present(entry, 'resultDisplay');
  if (display === undefined || (display.isString ? display.text.length : display.byteLength) <= text.length) return {};
  return { resultDisplay: display.isString ? text : undefined };
}

/** A part that repeats a call or a result. */
export function trimPart(part: JsonNode, fates: Fates): Json | undefined {
  const inner = part.get('functionCall') ?? part.get('functionResponse');
  const fate = fates.get(inner?.get('id')?.string ?? '');
  if (fate === undefined) return part;
  if (fate.isGone) return undefined;
  const read = readPart(part, '');
  const id = fate.id === undefined ? {} : { callId: fate.id };
  if (read.type === 'call')
    return writePart({ ...read, ...id, ...(fate.input === undefined ? {} : { input: fate.input }) });
  if (read.type !== 'result') return part;
  const text = fate.result === undefined ? undefined : joinTexts(fate.result.content);
  const isLonger = text !== undefined && joinTexts(read.content).length > text.length;
  return writePart({
    ...read,
    ...id,
    ...(isLonger ? { content: [{ type: 'text', text }, ...read.content.filter(({ type }) => type !== 'text')] } : {}),
  });
}

/** A line that holds messages, or what changes in them. */
function trimRecord(node: JsonNode, fates: Fates, trimListed: (list: JsonNode) => Json): Json {
  const set = node.get('$set');
  const list = listIn(node);
  if (list !== undefined)
    return set === undefined
      ? patch(node, { messages: trimListed(list) })
      : patch(node, { $set: patch(set, { messages: trimListed(list) }) });
  const change = node.get('$patch');
  if (!change?.isObject) return node;
  const own = trimMessage(change, fates);
  const trimmed = { updates: patchEach(change.get('updates'), (update) => trimMessage(update, fates)) };
  if (own === undefined)
    return patch(node, { $patch: patch(change, { content: undefined, toolCalls: undefined, ...trimmed }) });
  return own === change ? patch(node, { $patch: patch(change, trimmed) }) : patch(node, { $patch: own });
}
