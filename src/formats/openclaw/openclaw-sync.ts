/** Events of an OpenClaw trajectory that repeat others, and how they follow edits. */
import { amend, type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Replacement } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { renamedCalls } from '../anthropic/renamed-calls.js';
import type { MessageChange, Row } from '../format.js';
import pi from '../pi/pi-session.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { mapDeep } from '../shared/map-values.js';
import { removedTexts, withoutRemovedTexts } from '../shared/sync-duplicates.js';
import { table } from '../shared/table.js';
import { dataIn, freshExported, piMessageIn } from './openclaw-write.js';

/** The member of an event that is a message, among others that can repeat messages. */
const OWN_KEYS = table<string>({
  'context.compiled': 'systemPrompt',
  'prompt.submitted': 'prompt',
  'model.completed': 'assistantTexts',
});
/** What an added event has of the event beside it. */
const SHARED = ['traceId', 'ts', 'seq', 'sessionId', 'sessionKey', 'runId', 'workspaceDir', 'provider', 'modelId'];

/** Events whose usage the messages of the same file state. */
const repeating = new WeakSet<JsonNode>();

export function repeatsUsage(event: JsonNode): boolean {
  return repeating.has(event);
}

/**
 * Events of the runtime repeat the messages of an export. Each run compiles its context anew: only a system prompt that
 * differs from the one before is a message.
 */
export function afterRead(messages: readonly Message[]): readonly Message[] {
  const hasOwn = messages.some(({ raw }) => raw instanceof JsonNode && piMessageIn(raw) !== undefined);
  let system: string | undefined;
  return messages.map((message): Message => {
    const { role, raw, parts } = message;
    if (hasOwn && raw instanceof JsonNode && piMessageIn(raw) === undefined) repeating.add(raw);
    if (role === 'meta' || !(raw instanceof JsonNode)) return message;
    const meta: Message = { role: 'meta', parts: [], raw };
    if (role !== 'system') return hasOwn && piMessageIn(raw) === undefined ? meta : message;
    const text = parts.map((part) => (part.type === 'text' ? textOf(part.text) : '')).join('');
    if (text === system) return meta;
    system = text;
    return message;
  });
}

/** Completes added events, and removes what is gone from events that repeat it. Bare messages are those of pi. */
export function syncEvents(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): readonly (Json | undefined)[] {
  if (before.length > 0 && before.every((node) => node.get('traceSchema') === undefined))
    return pi.beforeWrite!(rows, before);
  const changes = changesIn(rows, before, read);
  const removed = removedTexts(changes);
  const newIds = new Map(changes.flatMap(({ before, after }) => renamedCalls(callIdsIn(before), callIdsIn(after))));
  const removedCalls = removedCallIds(changes);
  const isExport = before.some((node) => piMessageIn(node) !== undefined);
  return withAdjacentRecords(rows, before).map(({ node, json, message, adjacent }) => {
    if (node === undefined) return completed(((isExport && freshExported(message)) || json) as JsonFields, adjacent);
    if (message.role !== 'meta') return removed.size > 0 ? withoutCopies(node, json, removed) : json;
    const data = dataIn(node);
    const id = data?.get('toolCallId')?.string ?? '';
    const renamed = newIds.get(id);
    if (renamed !== undefined) return patch(node, { data: patch(data!, { toolCallId: renamed }) });
    if (removedCalls.has(id)) return undefined;
    return removed.size > 0 ? withoutTexts(node, removed) : json;
  });
}

/** Removes texts from the members of an event that are no message, but repeat one. */
function withoutCopies(node: JsonNode, json: Json, removed: ReadonlyMap<string, string>): Json {
  const own = OWN_KEYS[node.get('type')?.string ?? ''];
  const data = dataIn(node);
  if (own === undefined || data === undefined) return json;
  const copies = data.members().filter(({ key }) => key.text !== own);
  const cut = Object.fromEntries(copies.map(({ key, value }) => [key.text, withoutTexts(value, removed)]));
  const written = json instanceof ObjectEdit ? json.fields.get('data') : undefined;
  return amend(node, json, { data: amend(data, written ?? data, cut) });
}

function callIdsIn(message: Message | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'call' && part.callId ? [part.callId] : []));
}

/** The ids of calls that were removed or renamed. */
function removedCallIds(changes: readonly MessageChange[]): ReadonlySet<string> {
  const kept = new Set(changes.flatMap(({ after }) => callIdsIn(after)));
  return new Set(changes.flatMap(({ before }) => callIdsIn(before)).filter((id) => !kept.has(id)));
}

/** What changed in the messages; events that repeat them say nothing of their own. */
function changesIn(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): MessageChange[] {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const changes = before.map((node): MessageChange => {
    const row = rowOf.get(node);
    const isSame = row !== undefined && (row.json === node || row.message.role === 'meta');
    return isSame
      ? { before: row.message, after: row.message, json: node }
      : { before: read(node), after: row?.message, json: row?.json };
  });
  const added = rows.filter(({ node }) => node === undefined);
  return [...changes, ...added.map(({ message, json }) => ({ before: message, after: message, json }))];
}

function withoutTexts(node: JsonNode, removed: ReadonlyMap<string, string>): Json {
  return mapDeep(node, (value) => (value.isString ? withoutRemovedTexts(value, removed, true) : undefined)) as Json;
}

function completed({ traceSchema, schemaVersion, ...rest }: JsonFields, adjacent: JsonNode | undefined): Json {
  const shared = Object.fromEntries(SHARED.map((key) => [key, adjacent?.get(key)]));
  return { traceSchema, schemaVersion, ...shared, ...rest };
}

/** The texts beside a snapshot that repeat it. */
export function syncSnapshot(record: JsonNode, changes: readonly MessageChange[]): readonly Replacement[] {
  const removed = removedTexts(changes);
  const members = dataIn(record)?.members() ?? [];
  return members.flatMap(({ key, value }): Replacement[] => {
    const now = key.text === 'messagesSnapshot' ? value : withoutTexts(value, removed);
    return now === value ? [] : [{ node: value, value: now }];
  });
}
