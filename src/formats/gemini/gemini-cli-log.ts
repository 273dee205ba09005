/**
 * Repetition in a log of Gemini CLI. A message is written again whenever it grows, `$set` and `$patch` lines hold
 * messages or changes of them, and a result can be repeated by a user message. Edits are applied to all copies.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts
 */
import { type Json, type JsonFields, type JsonPlain, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { type CallEdits, callEdits, editMessage } from './gemini-cli-call-edits.js';
import { type Checkpoint, checkpointMessage } from './gemini-cli-checkpoint.js';
import { rewindableIds } from './gemini-cli-rewinds.js';

/**
 * The messages that the CLI would load from a log and send. All others get the role `meta`: the CLI leaves out messages
 * of the model that hold nothing. A notice stays if it replaces an earlier row with its id, or is replaced.
 * https://github.com/google-gemini/gemini-cli/blob/0be7075/packages/core/src/utils/sessionUtils.ts
 */
export function loadLog(messages: readonly Message[]): readonly Message[] {
  const nodes = messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined));
  const { loaded, earlier, checkpoints } = replay(nodes, messages);
  const copies = new Set([...earlier].flat());
  const isAsLoaded = ({ role, parts, discardable }: Message, index: number) =>
    role === 'meta'
      ? discardable !== true || !copies.has(index)
      : loaded.has(index) && (role !== 'assistant' || parts.length > 0);
  if (checkpoints.size === 0 && messages.every(isAsLoaded)) return messages;
  const idsOf = (line: JsonNode) => {
    const own = line.get('$set') === undefined ? [line] : (checkpoints.get(places.get(line) ?? -1)?.own ?? []);
    return own.flatMap((node) => idOf(node) ?? []);
  };
  const places = new Map([...checkpoints.keys()].map((index) => [nodes[index], index]));
  return messages.map((message, index) => {
    const checkpoint = checkpoints.get(index);
    if (checkpoint !== undefined) return checkpointMessage(nodes[index]!, checkpoint, idsOf);
    return isAsLoaded(message, index) ? message : { role: 'meta', parts: [], raw: message.raw };
  });
}

/** Applies the edits of messages to all their copies, and completes added lines. */
export function syncLog(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): readonly (Json | undefined)[] {
  const messages = before.map(read);
  const { loaded, earlier, targets } = isLog(before) ? replay(before, messages) : allOf(messages);
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const isSame = (index: number) => rowOf.get(before[index]!)?.json === before[index];
  const isLess = (index: number) => !isSame(index) && !keepsAll(messages[index]!, rowOf.get(before[index]!)?.message);
  const changed = [...loaded].filter((index) => !isSame(index));
  const removedIds = new Set(changed.flatMap((index) => (rowOf.has(before[index]!) ? [] : [idOf(before[index]!)!])));
  const edits: CallEdits =
    changed.length === 0
      ? new Map()
      : callEdits([...loaded].map((index) => [messages[index]!, rowOf.get(before[index]!)?.message]));
  const indexOf = new Map(before.map((node, index) => [node, index]));
  const added = new Map<string, Json[]>(); // by the id of the message before
  let adjacent = before.find((_, index) => loaded.has(index)) ?? before[0];
  const written = rows.map(({ node, json }): Json | undefined => {
    if (node === undefined) {
      const id = (adjacent && idOf(adjacent)) ?? '';
      const followers = added.get(id) ?? [];
      added.set(id, followers);
      const record = completed(json as JsonFields, adjacent, `${id}\n${followers.length}`);
      followers.push(record);
      return record;
    }
    const index = indexOf.get(node)!;
    if (!loaded.has(index)) return earlier.has(index) && isLess(earlier.get(index)!) ? undefined : json;
    adjacent = node;
    return json;
  });
  if (edits.size === 0 && removedIds.size === 0 && added.size === 0) return written;
  const editList = (list: JsonNode) =>
    patchItems(
      list,
      list.items().flatMap((item): Json[] => {
        const id = idOf(item) ?? '';
        const kept = removedIds.has(id) ? undefined : editMessage(item, edits);
        const followers = added.get(id) ?? [];
        if (kept !== undefined) return [kept, ...followers];
        return targets.has(id) ? [patch(item, { content: [], toolCalls: undefined }), ...followers] : followers;
      }),
    );
  return written.map((json, at) => {
    const { node } = rows[at]!;
    if (node === undefined || loaded.has(indexOf.get(node)!)) return json;
    if (json !== node) return json && editRecord(reparsed(json), edits, editList);
    if (idOf(node) !== undefined) return editMessage(node, edits) ?? (targets.has(idOf(node)!) ? node : undefined);
    return editRecord(node, edits, editList);
  });
}

/** Whether an edited message still says all that it said: then its earlier copies hold nothing that was removed. */
function keepsAll(before: Message, after: Message | undefined): boolean {
  if (after === undefined) return false;
  const isKept = (part: Part) =>
    after.parts.some(
      (other) => other.type === part.type && (part.raw as JsonNode).is(other.raw) && sayingOf(other) === sayingOf(part),
    );
  return before.parts.every(isKept);
}

function sayingOf(part: Part): string {
  if (part.type === 'result') return joinTexts(part.content);
  if (part.type === 'call') return textOf(part.input);
  return 'text' in part && part.text !== undefined ? textOf(part.text) : '';
}

interface Replay {
  /** By row: lists that leave out messages before them. */
  readonly checkpoints: ReadonlyMap<number, Checkpoint>;
  /** Indices of the rows whose messages the CLI loads. */
  readonly loaded: ReadonlySet<number>;
  /** From a row that a later one writes again to the last of those. */
  readonly earlier: ReadonlyMap<number, number>;
  /** Ids of messages that the log rewinds to. If the CLI does not find one, it drops all messages. */
  readonly targets: ReadonlySet<string>;
}

/**
 * Replays a log as the CLI does. A message counts where its id is written last, unless the log was rewound to before
 * it. A list of messages (after a compression or an undo) is all that is sent of what was said, and can be rewound.
 */
function replay(nodes: readonly (JsonNode | undefined)[], messages: readonly Message[]): Replay {
  const copies: number[][] = []; // rows of the same message
  const copiesOf = new Map<string, number[]>();
  const loaded = new Set<number>();
  const targets = new Set<string>();
  const known = rewindableIds();
  const checkpoints = new Map<number, Checkpoint>();
  const inLines = new Set(nodes.flatMap((node) => (node && idOf(node)) ?? []));
  const listed = new Set<string>();
  nodes.forEach((node, index) => {
    if (node === undefined) return;
    const target = node.get('$rewindTo')?.string;
    const id = idOf(node);
    const list = messageListIn(node);
    if (target !== undefined) {
      targets.add(target);
      for (const rewound of known.dropFrom(target)) {
        loaded.delete(copiesOf.get(rewound)?.at(-1) ?? -1);
        copiesOf.delete(rewound);
      }
    } else if (id !== undefined) {
      known.add(id);
      const rows = copiesOf.get(id) ?? [];
      if (rows.length === 0) copies.push(rows);
      loaded.delete(rows.at(-1) ?? -1);
      copiesOf.set(id, rows);
      rows.push(index);
      if (messages[index]!.role !== 'meta') loaded.add(index);
    } else if (list !== undefined) {
      known.dropAll();
      const items = list.items().filter((item) => idOf(item) !== undefined);
      const ids = new Set(items.map((item) => idOf(item)!));
      const own = items.filter((item) => !inLines.has(idOf(item)!) && !listed.has(idOf(item)!));
      for (const id of ids) listed.add(id);
      for (const id of ids) known.add(id);
      const leavesOut = [...loaded].some((row) => !ids.has(idOf(nodes[row]!)!));
      if (leavesOut && node.get('$set') !== undefined) checkpoints.set(index, { ids, own });
    }
  });
  const earlier = new Map(copies.flatMap((rows) => rows.slice(0, -1).map((row) => [row, rows.at(-1)!] as const)));
  const answered = new Set<string | undefined>();
  for (const index of loaded)
    if (messages[index]!.role === 'assistant')
      for (const part of messages[index]!.parts) if (part.type === 'result') answered.add(part.callId);
  for (const index of loaded) {
    const results =
      messages[index]!.role === 'tool' ? messages[index]!.parts.filter((part) => part.type === 'result') : [];
    if (results.length > 0 && results.every(({ callId }) => callId !== undefined && answered.has(callId)))
      loaded.delete(index);
  }
  return { loaded, earlier, targets, checkpoints };
}

/** Whether the rows are values of their own, not elements of the list of a session. */
function isLog(rows: readonly JsonNode[]): boolean {
  return rows.every(({ at }) => at <= 0);
}

/** Of a list of messages in a session that is one value: the CLI loads them all. */
function allOf(messages: readonly Message[]): Replay {
  const loaded = messages.flatMap(({ role }, index) => (role === 'meta' ? [] : [index]));
  return { loaded: new Set(loaded), earlier: new Map(), targets: new Set(), checkpoints: new Map() };
}

/** The id of a message; `$patch` lines have none of their own. */
export function idOf(node: JsonNode): string | undefined {
  return node.get('$patch') === undefined ? node.get('id')?.string : undefined;
}

/** The message list of a `$set` line or of a header. */
export function messageListIn(node: JsonNode): JsonNode | undefined {
  const list = (node.get('$set') ?? node).get('messages');
  return list?.isArray ? list : undefined;
}

/** Completes an added line with an id and the time of the adjacent line. */
function completed({ id, timestamp, ...rest }: JsonFields, adjacent: JsonNode | undefined, place: string): JsonPlain {
  return { id: id ?? derivedId(place, rest), timestamp: timestamp ?? adjacent?.get('timestamp'), ...rest };
}

/** Applies edits to a line with a message list or with changes of a message. */
function editRecord(node: JsonNode, edits: CallEdits, editList: (list: JsonNode) => Json): Json {
  const set = node.get('$set');
  const list = messageListIn(node);
  if (list !== undefined)
    return set === undefined
      ? patch(node, { messages: editList(list) })
      : patch(node, { $set: patch(set, { messages: editList(list) }) });
  const change = node.get('$patch');
  if (!change?.isObject) return node;
  const own = editMessage(change, edits);
  const trimmed = { updates: patchEach(change.get('updates'), (update) => editMessage(update, edits)) };
  if (own === undefined)
    return patch(node, { $patch: patch(change, { content: undefined, toolCalls: undefined, ...trimmed }) });
  return own === change ? patch(node, { $patch: patch(change, trimmed) }) : patch(node, { $patch: own });
}
