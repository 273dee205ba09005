/**
 * What a log of Copilot CLI says more than once: when a tool starts its arguments are repeated, and permissions and sub-agents belong to a
 * call. They go with it, and change alike; the chain of the lines, and the counts of what was compacted, stay whole.
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';

const LINK: Link = { id: 'id', parent: 'parentId', contentKeys: ['data'] };
/** What the data of an answer say of their request, as the message that asked for it does. */
const REQUEST_FIELDS = ['model', 'interactionId', 'turnId'];
/** Parts of a result, as they came. */
const PARTIAL = new Set(['tool.execution_partial_result', 'tool.execution_progress']);

/** The rows with what belongs to a call gone or changed with it, whole records for what was added, and whole links. */
export function mendEvents(
  rows: readonly Row[],
  before: readonly JsonNode[],
  read: (raw: JsonNode) => Message,
): readonly (Json | undefined)[] {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const messages = before.map(read);
  const changes = changesOf(messages, (index) => rowOf.get(before[index]!)?.message);
  const shift = shiftsOf(rows, before, messages);
  let asked: JsonNode | undefined;
  const changed = rows.map((row, index): Row | undefined => {
    const { node, json, message } = row;
    if (node === undefined) return { ...row, json: withData(json as JsonFields, asked, `${index}`) };
    if (message.role === 'assistant') asked = node.get('data');
    const kept = message.role === 'meta' ? changeRecord(node, changes, shift.get(node) ?? 0) : json;
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

// --- what becomes of the calls

interface Changes {
  /** Ids of calls that went, of agents that they started, and of requests for permission to make them. */
  readonly gone: Set<string>;
  readonly calls: ReadonlyMap<string, CallPart>;
  /** Calls whose arguments changed, or whose results. */
  readonly inputs: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
  /** Thoughts of messages that went. */
  readonly thoughts: ReadonlySet<string>;
}

function changesOf(messages: readonly Message[], afterOf: (index: number) => Message | undefined): Changes {
  const gone = new Set<string>();
  const calls = new Map<string, CallPart>();
  const inputs = new Set<string>();
  const results = new Set<string>();
  const thoughts = new Set<string>();
  const kept = new Set<string | undefined>();
  messages.forEach((message, index) => {
    const after = afterOf(index);
    for (const part of after?.parts ?? []) if (part.type === 'call') kept.add(part.callId);
    if (message.role === 'meta' || (after !== undefined && after.parts === message.parts)) return;
    for (const part of message.parts) {
      const left = after?.parts.find((candidate) => candidate.type === part.type && isOf(candidate, part));
      if (part.type === 'thinking' && left === undefined) thoughts.add(textOf(part.text));
      if ((part.type !== 'call' && part.type !== 'result') || part.callId === undefined) continue;
      if (left === undefined) gone.add(part.callId);
      else if (left.type === 'result' && part.type === 'result' && joinTexts(left.content) !== joinTexts(part.content))
        results.add(part.callId);
      else if (left.type === 'call' && part.type === 'call') {
        const isSame = left.input === part.input || (left.input instanceof JsonNode && left.input.is(part.input));
        if (!isSame) inputs.add(part.callId);
        if (!isSame || left.callId !== part.callId) calls.set(part.callId, left);
      }
    }
  });
  for (const id of kept) {
    gone.delete(id ?? '');
    if (id !== calls.get(id ?? '')?.callId) calls.delete(id ?? '');
  }
  return { gone, calls, inputs, results, thoughts };
}

function isOf(part: Part, other: Part): boolean {
  return other.raw instanceof JsonNode && other.raw.is(part.raw);
}

/** A line that is no message, as what it belongs to became; undefined where that went. */
function changeRecord(
  node: JsonNode,
  { gone, calls, inputs, results, thoughts }: Changes,
  shift: number,
): Json | undefined {
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
  const asksAnew = permission !== undefined && ids.some((id) => inputs.has(id)); // it says the arguments in its own words
  if (asksAnew || ids.some((id) => gone.has(id)) || (PARTIAL.has(type) && call !== undefined && results.has(call))) {
    const started = [
      node.get('agentId'),
      data.get('requestId'),
      ...(data
        .get('toolRequests')
        ?.items()
        .map((request) => request.get('toolCallId')) ?? []),
    ];
    for (const id of started) if (id?.isString) gone.add(id.text); // and with it what belongs to it
    return undefined;
  }
  if (type === 'assistant.reasoning' && thoughts.has(data.get('content')?.string ?? '')) return undefined;
  const length = data.get('preCompactionMessagesLength')?.number;
  if (length !== undefined && shift !== 0)
    return patch(node, { data: patch(data, { preCompactionMessagesLength: Math.max(0, length + shift) }) });
  const changed = calls.get(data.get('toolCallId')?.string ?? '');
  if (changed === undefined) return node;
  const old = present(data, 'arguments');
  const input: JsonFields =
    old === undefined || !inputs.has(call ?? '')
      ? {}
      : { arguments: old.isString ? textOf(changed.input) : jsonValue(changed.input) };
  return patch(node, { data: patch(data, { toolCallId: changed.callId, ...input }) });
}

/** What was added, with an id of the message, and with what an answer says of its request. */
function withData(fields: JsonFields, asked: JsonNode | undefined, place: string): JsonFields {
  const data = fields['data'] as JsonFields;
  if (fields['type'] === 'assistant.message')
    return { ...fields, data: { messageId: derivedId(place, fields), ...data } };
  if (fields['type'] !== 'tool.execution_complete') return fields;
  const { toolCallId, ...rest } = data;
  return {
    ...fields,
    data: { toolCallId, ...Object.fromEntries(REQUEST_FIELDS.map((key) => [key, asked?.get(key)])), ...rest },
  };
}

/**
 * How many messages fewer, or more, each compaction finds: the CLI counts on their number to know what it left out.
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

/** The number of messages that each compaction finds: those before it began, since the one before. */
function lengthsOf(
  lines: readonly { readonly node: JsonNode | undefined; readonly message: Message }[],
): ReadonlyMap<JsonNode, number> {
  const lengths = new Map<JsonNode, number>();
  let length = 0;
  let begun: number | undefined;
  for (const { node, message } of lines) {
    if (message.role !== 'meta') length++;
    const type = message.role === 'meta' ? node?.get('type')?.string : undefined;
    if (type === 'session.compaction_start') begun = length;
    if (node === undefined || type !== 'session.compaction_complete') continue;
    lengths.set(node, begun ?? length);
    length -= begun ?? length;
    begun = undefined;
  }
  return lengths;
}
