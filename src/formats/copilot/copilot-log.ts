/**
 * Events of a Copilot CLI log that depend on messages: the start of a tool repeats its arguments, and permissions and
 * sub-agents belong to a call. They are removed or updated with the call. Also keeps links and compaction counts valid.
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import { isCompaction } from './copilot-compaction.js';

const LINK: Link = { id: 'id', parent: 'parentId', contentKeys: ['data'] };
/** Fields that a result shares with the message that made the call. */
const REQUEST_FIELDS = ['model', 'interactionId', 'turnId'];
/** Of a compaction: how many messages stood before it. */
const LENGTH = 'preCompactionMessagesLength';
/** Events with parts of a result. */
const PARTIAL = new Set(['tool.execution_partial_result', 'tool.execution_progress']);

/** Updates events about removed or edited calls, completes added events, and repairs links. */
export function syncEvents(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): readonly (Json | undefined)[] {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const messages = before.map(read);
  const changes = changesOf(messages, (index) => rowOf.get(before[index]!)?.message);
  const shift = shiftsOf(rows, before, messages);
  let requestData: JsonNode | undefined; // of the last assistant message
  const changed = rows.map((row, index): Row | undefined => {
    const { node, json, message } = row;
    if (node === undefined) return { ...row, json: completed(json as JsonFields, requestData, `${index}`) };
    if (message.role === 'assistant') requestData = node.get('data');
    const event = message.role === 'meta' ? syncEvent(node, changes) : json;
    const kept = event === undefined ? undefined : shifted(event, shift.get(node) ?? 0);
    return kept === undefined ? undefined : { ...row, json: kept };
  });
  const linked = relink(
    changed.filter((row) => row !== undefined),
    before,
    LINK,
    [],
  );
  let next = 0;
  return changed.map((row) => (row === undefined ? undefined : linked[next++]));
}

interface Changes {
  /**
   * Ids of removed calls, of agents that they started, and of their permission requests. Grows while events are synced.
   */
  readonly removed: Set<string>;
  /** Edited calls by their old id. */
  readonly calls: ReadonlyMap<string, CallPart>;
  /** Ids of calls whose arguments changed, and of those whose results did. */
  readonly inputs: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
  /** Texts of removed thinking. */
  readonly thinking: ReadonlySet<string>;
}

function changesOf(messages: readonly Message[], afterOf: (index: number) => Message | undefined): Changes {
  const removed = new Set<string>();
  const calls = new Map<string, CallPart>();
  const inputs = new Set<string>();
  const results = new Set<string>();
  const thinking = new Set<string>();
  const kept = new Set<string | undefined>();
  messages.forEach((message, index) => {
    const after = afterOf(index);
    for (const part of after?.parts ?? []) if (part.type === 'call') kept.add(part.callId);
    if (message.role === 'meta' || (after !== undefined && after.parts === message.parts)) return;
    for (const part of message.parts) {
      const edited = after?.parts.find((candidate) => candidate.type === part.type && hasSameSource(candidate, part));
      if (part.type === 'thinking' && edited === undefined) thinking.add(textOf(part.text));
      if ((part.type !== 'call' && part.type !== 'result') || part.callId === undefined) continue;
      if (edited === undefined) removed.add(part.callId);
      else if (
        edited.type === 'result' &&
        part.type === 'result' &&
        joinTexts(edited.content) !== joinTexts(part.content)
      )
        results.add(part.callId);
      else if (edited.type === 'call' && part.type === 'call') {
        const isSame = edited.input === part.input || (edited.input instanceof JsonNode && edited.input.is(part.input));
        if (!isSame) inputs.add(part.callId);
        if (!isSame || edited.callId !== part.callId) calls.set(part.callId, edited);
      }
    }
  });
  for (const id of kept) {
    removed.delete(id ?? '');
    if (id !== calls.get(id ?? '')?.callId) calls.delete(id ?? '');
  }
  return { removed, calls, inputs, results, thinking };
}

/** Whether both parts were read from the same value. */
function hasSameSource(part: Part, other: Part): boolean {
  return other.raw instanceof JsonNode && other.raw.is(part.raw);
}

/** Updates an event that is not a message; undefined if what it belongs to was removed. */
function syncEvent(node: JsonNode, { removed, calls, inputs, results, thinking }: Changes): Json | undefined {
  const type = node.get('type')?.string ?? '';
  const data = node.get('data');
  if (!data?.isObject) return node;
  const permission = data.get('permissionRequest');
  const ids = [
    data.get('toolCallId'),
    data.get('parentToolCallId'),
    permission?.get('toolCallId'),
    node.get('agentId'),
    data.get('requestId'),
  ].flatMap((id) => id?.string ?? []);
  const call = ids[0];
  const isOutdated = permission !== undefined && ids.some((id) => inputs.has(id)); // it describes the old arguments
  if (
    isOutdated ||
    ids.some((id) => removed.has(id)) ||
    (PARTIAL.has(type) && call !== undefined && results.has(call))
  ) {
    const started = [
      node.get('agentId'),
      data.get('requestId'),
      ...(data
        .get('toolRequests')
        ?.items()
        .map((request) => request.get('toolCallId')) ?? []),
    ];
    for (const id of started) if (id?.isString) removed.add(id.text); // so that what belongs to them is removed too
    return undefined;
  }
  if (type === 'assistant.reasoning' && thinking.has(data.get('content')?.string ?? '')) return undefined;
  const changed = calls.get(data.get('toolCallId')?.string ?? '');
  if (changed === undefined) return node;
  const old = present(data, 'arguments');
  const input: JsonFields =
    old === undefined || !inputs.has(call ?? '')
      ? {}
      : { arguments: old.isString ? textOf(changed.input) : jsonValue(changed.input) };
  return patch(node, { data: patch(data, { toolCallId: changed.callId, ...input }) });
}

/** A compaction with another number of messages before it. */
function shifted(event: Json, shift: number): Json {
  if (shift === 0) return event;
  const node = event instanceof JsonNode ? event : reparsed(event);
  const data = node.get('data')!;
  const length = data.get(LENGTH)?.number;
  if (length === undefined) return event;
  return patch(node, { data: patch(data, { [LENGTH]: Math.max(0, length + shift) }) });
}

/** Completes an added event: a message gets an id, a result the fields of its request. */
function completed(fields: JsonFields, requestData: JsonNode | undefined, place: string): JsonFields {
  const data = fields['data'] as JsonFields;
  if (fields['type'] === 'assistant.message')
    return { ...fields, data: { messageId: derivedId(place, fields), ...data } };
  if (fields['type'] !== 'tool.execution_complete') return fields;
  const { toolCallId, ...rest } = data;
  return {
    ...fields,
    data: { toolCallId, ...Object.fromEntries(REQUEST_FIELDS.map((key) => [key, requestData?.get(key)])), ...rest },
  };
}

/**
 * The change in the number of messages before each compaction. The CLI uses that number to find what it compacted.
 * https://github.com/github/copilot-cli/issues/1005
 */
function shiftsOf(
  rows: readonly Row[],
  before: readonly JsonNode[],
  messages: readonly Message[],
): ReadonlyMap<JsonNode, number> {
  const old = lengthsOf(before.map((node, index) => ({ node, message: messages[index]! })));
  return new Map([...lengthsOf(rows)].map(([node, length]) => [node, length - old.get(node)!]));
}

/** The number of messages before each compaction, since the previous one. */
function lengthsOf(
  lines: readonly { readonly node: JsonNode | undefined; readonly message: Message }[],
): ReadonlyMap<JsonNode, number> {
  const lengths = new Map<JsonNode, number>();
  let length = 0;
  let lengthAtStart: number | undefined;
  for (const { node, message } of lines) {
    if (message.role !== 'meta' && !isCompaction(node)) length++;
    if (message.role === 'meta' && node?.get('type')?.string === 'session.compaction_start') lengthAtStart = length;
    if (node === undefined || !isCompaction(node)) continue;
    lengths.set(node, lengthAtStart ?? length);
    length -= lengthAtStart ?? length;
    lengthAtStart = undefined;
  }
  return lengths;
}
