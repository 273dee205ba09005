/**
 * The stream-json protocol of Claude Code and its Agent SDK: a line `{type, session_id, …}`, as `claude -p --output-format stream-json`
 * writes them, or `{messages: [{direction, message}]}`, a recording of both sides. A message of the API stands in `message` and may be
 * written in several lines with one `message.id`; `tool_use_result` repeats a result. Lines of other types are no messages, but repeat
 * some: hooks and permissions the calls, `stream_event` the pieces as they came, `result` the last text.
 * https://docs.claude.com/en/docs/agent-sdk/typescript#message-types
 */

import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { addAll } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { ContentPart, Message, Part, Recorded } from '../../transcript/types.js';
import { type Description, defineFormat, type Row } from '../format.js';
import { adjacentNode } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { metaMessage } from '../shared/json-fields.js';
import { isResult } from '../shared/parts.js';
import { anthropicUsage, costField, recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import anthropic from './anthropic-messages.js';
import { renamedCalls, withNewIds } from './renamed-calls.js';

/** Lines that hold no message, and the member that each has. */
const RECORDS = table<string>({
  system: 'subtype',
  result: 'duration_ms',
  stream_event: 'event',
  control_request: 'request',
  control_response: 'response',
  control_cancel_request: 'request_id',
  rate_limit_event: 'rate_limit_info',
  tool_progress: 'tool_use_id',
  tool_use_summary: 'summary',
  auth_status: 'isAuthenticating',
});

/** Progress and notices: a message that streams in comes whole as well. */
const SPARE = new Set(['stream_event', 'tool_progress', 'rate_limit_event', 'auth_status']);

export default defineFormat({
  id: 'claude-agent-sdk',
  traits: { flagsErrors: true },
  messagePaths: ['messages'],
  score(raw) {
    const line = lineIn(raw);
    const type = line.get('type')?.string;
    if (type === undefined || line.get('sessionId') !== undefined) return 0;
    const member = RECORDS[type];
    if (member !== undefined)
      return line.get(member) !== undefined &&
        (line !== raw || type.startsWith('control_') || line.get('session_id') !== undefined)
        ? 0.95
        : 0;
    if (type !== 'user' && type !== 'assistant') return 0;
    return line.get('message')?.get('role') !== undefined &&
      (line.get('session_id') ?? line.get('parent_tool_use_id')) !== undefined
      ? 1
      : 0;
  },
  read(raw) {
    const line = lineIn(raw);
    const type = line.get('type')?.string;
    const inner = line.get('message');
    const isReplay = line !== raw && line.get('isReplay')?.boolean === true; // what was sent stands in a line of its own
    if ((type !== 'user' && type !== 'assistant') || !inner?.isObject || isReplay)
      return metaMessage(raw, SPARE.has(type ?? ''));
    const message = anthropic.read(inner);
    const group = type === 'assistant' ? inner.get('id')?.string : undefined;
    return {
      ...message,
      raw,
      ...(group === undefined ? {} : { group }),
      ...(type === 'assistant' ? { model: inner.get('model')?.string } : {}),
    };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return {
        type: message.role === 'assistant' ? 'assistant' : 'user',
        message: anthropic.write(message),
        ...repeated(message),
      };
    const line = lineIn(raw);
    const inner = line.get('message');
    if (message.role === 'meta' || inner === undefined) return raw;
    const written = anthropic.write({ ...message, raw: inner });
    if (written === inner) return raw;
    return putBack(
      raw,
      patch(line, { message: written, ...(line.get('tool_use_result') === undefined ? {} : repeated(message)) }),
    );
  },
  describe(record) {
    const heads = record.get('messages')?.items().map(headOf) ?? [];
    return heads.find(({ id }) => id !== undefined) ?? {};
  },
  header: headOf,
  recorded: (raw) => recordedIn(lineIn(raw)),
  threads(messages) {
    const calls = messages.map(({ raw }) =>
      raw instanceof JsonNode ? lineIn(raw).get('parent_tool_use_id')?.string : undefined,
    );
    return calls.some((call) => call !== undefined) ? { agentIds: calls } : undefined;
  },
  beforeWrite(rows, before) {
    return alike(whole(rows, before), before);
  },
});

/** The line in what a recording wraps it in; the line itself, where nothing does. */
function lineIn(raw: JsonNode): JsonNode {
  const line = raw.get('direction') === undefined ? undefined : raw.get('message');
  return line?.isObject ? line : raw;
}

function putBack(raw: JsonNode, line: Json): Json {
  return lineIn(raw) === raw ? line : patch(raw, { message: line });
}

/** A result stands beside the message too: what was cut there must not survive here. */
function repeated({ parts }: Message): Record<string, Json> {
  const result = parts.find(isResult);
  return result === undefined ? {} : { tool_use_result: joinTexts(result.content) };
}

function headOf(raw: JsonNode): Description {
  const line = lineIn(raw);
  if (line.get('type')?.string !== 'system' || line.get('subtype')?.string !== 'init') return {};
  return { id: line.get('session_id')?.string, model: line.get('model')?.string, tools: line.get('tools') };
}

/** What a line says of its request; of the whole session, where it is the result. Claude Code's own logs spell the same in camel case. */
export function recordedIn(line: JsonNode): Recorded | undefined {
  const sessionId = line.get('session_id')?.string ?? line.get('sessionId')?.string;
  const time = timeOf(line.get('timestamp'));
  if (line.get('type')?.string === 'result') {
    return { sessionId, time, running: anthropicUsage(line.get('usage')), cost: costField(line, 'total_cost_usd') };
  }
  const message = line.get('message');
  const requestId = line.get('request_id')?.string ?? line.get('requestId')?.string;
  return recordedOf({
    responseId: message?.get('id')?.string,
    requestId,
    sessionId,
    model: message?.get('model')?.string,
    time,
    usage: anthropicUsage(message?.get('usage')),
  });
}

// --- lines that were added

/** What a line says of its session, the same in its neighbours. */
const PARENT = 'parent_tool_use_id';
const SHARED = [PARENT, 'session_id'];

/** A line that was added gets what its neighbours have: the session, an id made of its content, the time, and the direction. */
function whole(rows: readonly Row[], before: readonly JsonNode[]): readonly Row[] {
  const speaks = (node: JsonNode | undefined) => node !== undefined && lineIn(node).get('message') !== undefined;
  let neighbour = rows.find(({ node }) => speaks(node))?.node ?? before.find(speaks);
  let previous: string | undefined;
  return rows.map((row) => {
    const beside = speaks(row.node) ? row.node : adjacentNode(row.message);
    if (beside !== undefined && beside !== neighbour) [neighbour, previous] = [beside, undefined];
    if (row.node !== undefined || neighbour === undefined) return row;
    const line = lineIn(neighbour);
    const { type, message, ...rest } = row.json as JsonFields;
    const shared = Object.fromEntries(SHARED.map((key) => [key, line.get(key)]));
    previous = derivedId(previous ?? line.get('uuid')?.text ?? '', row.json);
    const added = {
      type,
      message,
      ...shared,
      uuid: line.get('uuid') && previous,
      timestamp: line.get('timestamp'),
      ...(line.get('tool_use_result') === undefined ? {} : rest),
    };
    const direction = type === 'user' && rest['tool_use_result'] === undefined ? 'send' : 'recv';
    return { ...row, json: line === neighbour ? added : { direction, message: added } };
  });
}

// --- what other lines repeat

/** Lines that repeat a call that went go; those that repeat what was cut have what is left of it. */
function alike(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const changes = changesIn(rows, before);
  if (changes.gone.size === 0 && changes.results.size === 0 && changes.texts.size === 0 && changes.renamed.size === 0)
    return rows.map(({ json }) => json);
  const dropped = new Set<string>(); // ids of requests whose responses go as well
  const streamed = new Map<string, number>(); // by whose stream it is: the index of the block that goes
  return rows.map(({ node, json }) => {
    if (node === undefined || json !== node) return withParent(node, json, changes.renamed);
    const line = lineIn(node);
    const type = line.get('type')?.string;
    if (changes.renamed.size > 0 && type !== 'result') {
      const named = withNewIds(line, changes.renamed, CALL_IDS);
      if (named !== line) return putBack(node, named);
    }
    if (type === 'control_request') {
      const id = callOf(line.get('request'));
      if (id !== undefined && changes.gone.has(id)) {
        dropped.add(line.get('request_id')?.string ?? '');
        return undefined;
      }
      return id === undefined ? json : putBack(node, withResponse(line, changes.results.get(id)));
    }
    if (type === 'control_response')
      return dropped.has(line.get('response')?.get('request_id')?.string ?? '') ? undefined : json;
    if (type === 'tool_progress') return changes.gone.has(line.get('tool_use_id')?.string ?? '') ? undefined : json;
    if (type === 'stream_event') return isStreamed(line, changes.gone, streamed) ? undefined : json;
    return type === 'result' ? putBack(node, withChanges(line, changes)) : json;
  });
}

/** A line that was written anew, with the new id of the call that its agent works for. */
function withParent(
  node: JsonNode | undefined,
  json: Json | undefined,
  renamed: ReadonlyMap<string, string>,
): Json | undefined {
  if (json === undefined || renamed.size === 0) return json;
  if (node !== undefined) {
    const isOld = renamed.has(lineIn(node).get(PARENT)?.string ?? '');
    return isOld ? withNewIds(parse(printed(json)), renamed, new Set([PARENT])) : json;
  }
  const { message, [PARENT]: parent, ...rest } = json as JsonFields;
  if (rest['direction'] !== undefined) return { ...rest, message: withParent(node, message, renamed) };
  const id = parent instanceof JsonNode ? renamed.get(parent.string ?? '') : undefined;
  return id === undefined ? json : { ...(json as JsonFields), [PARENT]: id };
}

interface Changes {
  /** Ids of calls that are no more. */
  readonly gone: ReadonlySet<string>;
  /** Calls that have another id now, by the old one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** What is left of the text of a result, by the id of its call. */
  readonly results: ReadonlyMap<string, string>;
  /** What became of what the model said, by what it was. */
  readonly texts: ReadonlyMap<string, string>;
}

function changesIn(rows: readonly Row[], before: readonly JsonNode[]): Changes {
  const kept = new Map(rows.map(({ node, json }) => [node, json]));
  const old: Part[] = [];
  const now: Part[] = [];
  const texts = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const node of before) {
    const json = kept.get(node);
    if (json === node) continue;
    const was = partsIn(node);
    const is = json === undefined ? [] : partsIn(parse(printed(json)));
    addAll(old, was);
    addAll(now, is);
    for (const [id, name] of renamedCalls(callIds(was), callIds(is))) renamed.set(id, name);
    const [said, says] = [joinTexts(was.filter(isText)), joinTexts(is.filter(isText))];
    if (said !== says && says !== '') texts.set(said, says);
  }
  const stays = new Set(
    callIds([...now, ...rows.flatMap(({ node, json }) => (node === undefined ? partsIn(parse(printed(json))) : []))]),
  );
  for (const id of renamed.keys()) if (stays.has(id)) renamed.delete(id);
  const gone = callIds(old).filter((id) => !stays.has(id) && !renamed.has(id));
  const results = now.flatMap((part) =>
    part.type === 'result' && part.callId !== undefined ? [[part.callId, joinTexts(part.content)] as const] : [],
  );
  return { gone: new Set(gone), renamed, results: new Map(results), texts };
}

const CALL_IDS = new Set(['id', 'tool_use_id', PARENT]);

function callIds(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'call' && part.callId !== undefined ? [part.callId] : []));
}

function partsIn(node: JsonNode): readonly Part[] {
  const inner = lineIn(node).get('message');
  return inner?.isObject ? anthropic.read(inner).parts : [];
}

function isText(part: Part): part is ContentPart {
  return part.type === 'text';
}

/** The call that a hook, or a question for permission, is about. */
function callOf(request: JsonNode | undefined): string | undefined {
  return request?.get('tool_use_id')?.string ?? request?.get('input')?.get('tool_use_id')?.string;
}

/** A hook that runs after a tool repeats what the tool gave. */
function withResponse(line: JsonNode, text: string | undefined): Json {
  const request = line.get('request');
  const input = request?.get('input');
  if (text === undefined || request === undefined || input?.get('tool_response') === undefined) return line;
  return patch(line, { request: patch(request, { input: patch(input, { tool_response: text }) }) });
}

/** The last line repeats the last text, and the calls that were not permitted. */
function withChanges(line: JsonNode, { gone, texts }: Changes): Json {
  const text = texts.get(line.get('result')?.string ?? '');
  const isGone = (denial: JsonNode) => gone.has(denial.get('tool_use_id')?.string ?? '');
  return patch(line, {
    ...(text === undefined ? {} : { result: text }),
    permission_denials: patchEach(line.get('permission_denials'), (denial) => (isGone(denial) ? undefined : denial)),
  });
}

/** Whether an event is of the block in which a call that went was streamed. */
function isStreamed(line: JsonNode, gone: ReadonlySet<string>, streamed: Map<string, number>): boolean {
  const stream = line.get('parent_tool_use_id')?.string ?? '';
  const event = line.get('event');
  const index = event?.get('index')?.number;
  if (index === undefined) return false;
  if (gone.has(event?.get('content_block')?.get('id')?.string ?? '')) streamed.set(stream, index);
  const isOf = streamed.get(stream) === index;
  if (isOf && event?.get('type')?.string === 'content_block_stop') streamed.delete(stream);
  return isOf;
}
