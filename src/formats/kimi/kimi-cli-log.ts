/**
 * Versions of Kimi CLI's wire log, and lines that repeat messages: a turn begins with its prompt, a change of
 * configuration repeats the system prompt, and steps and approvals belong to calls.
 */
import { amend, type Json, type JsonFields } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { Message } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { appendedAfter, changedAt } from './kimi-cli-appended.js';

/** Types of lines with messages. */
export const MESSAGE = 'context.append_message';
export const EVENT = 'context.append_loop_event';
/** Message types of earlier versions. */
const EARLY = commaSet(`
  TurnBegin, SteerInput, TurnEnd, StepBegin, StepInterrupted, CompactionBegin, CompactionEnd, StatusUpdate,
  ContentPart, TextPart, ThinkPart, ToolCall, ToolCallPart, ToolResult, ApprovalRequest, ApprovalResponse,
  SubagentEvent
`);
/** Those with a part of the model's output. */
export const EARLY_PARTS = commaSet(`
  ContentPart, TextPart, ThinkPart, ImageURLPart, AudioURLPart, VideoURLPart
`);

/** The message type of a line of an earlier version; undefined for current ones. */
export function earlyOf(raw: JsonNode): string | undefined {
  const message = raw.get('message');
  const type = message?.get('type')?.string;
  return type !== undefined &&
    (EARLY.has(type) || EARLY_PARTS.has(type)) &&
    message!.get('payload')?.isObject &&
    raw.get('timestamp') !== undefined
    ? type
    : undefined;
}

/** Lines with the system prompt; the second since version 2. */
export const SYSTEM = commaSet('config.update, profile.bind');

/** Keeps only the first system prompt: every change of configuration repeats it. */
export function onePrompt(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(isPrompt);
  return messages.map((message, index) =>
    isPrompt(message) && index > first ? { role: 'meta', parts: [], raw: message.raw } : message,
  );
}

function isPrompt({ role, raw }: Message): boolean {
  return role === 'system' && raw instanceof JsonNode && SYSTEM.has(raw.get('type')?.string ?? '');
}

/** An empty part, for lines that must hold one. */
export const EMPTY_PART = { type: 'text', text: '' };

/**
 * Removes or updates lines that repeat a message: the prompt of a turn, copies of the system prompt, the approval of a
 * call, begin and end of a step without content. Completes added lines.
 */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const kept = new Map(
    rows.flatMap(({ node, json }): [JsonNode, Json][] => (node === undefined ? [] : [[node, json]])),
  );
  const removed = linesToRemove(before, kept);
  const repeats = repeatsIn(before);
  const appended = appendedAfter(rows, before);
  const uuids = new Map<Json | undefined, JsonNode | undefined>(); // ids of call lines, by call id
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent }) => {
    if (node === undefined) return completed(json as JsonFields, adjacent, uuids);
    const event = node.get('event');
    if (event?.get('type')?.string === 'tool.call')
      uuids.set(changedAt(json, 'event', 'toolCallId') ?? event.get('toolCallId')?.text, event.get('uuid'));
    if (removed.has(node)) return undefined;
    const repeat = repeats.get(node);
    if (repeat === undefined) return json instanceof JsonNode ? appended(json) : json;
    if (!kept.has(repeat.of)) return undefined;
    const now = changedAt(kept.get(repeat.of)!, ...repeat.path);
    return now === undefined ? json : amend(node, json, { [repeat.key]: now });
  });
}

interface Repeat {
  /** The line that is repeated. */
  readonly of: JsonNode;
  /** The path of the repeated value in that line. */
  readonly path: readonly string[];
  /** The key of the copy in the repeating line. */
  readonly key: string;
}

/** The prompt of a turn repeats the next user message; a system prompt equal to the first one repeats that. */
function repeatsIn(lines: readonly JsonNode[]): ReadonlyMap<JsonNode, Repeat> {
  const repeats = new Map<JsonNode, Repeat>();
  let prompt: JsonNode | undefined;
  let system: JsonNode | undefined;
  for (const line of lines) {
    const type = line.get('type')?.string;
    const message = line.get('message');
    if (type === 'turn.prompt') prompt = line;
    else if (type === MESSAGE && prompt !== undefined && message?.get('role')?.string === 'user') {
      if (prompt.get('input')?.text === message.get('content')?.text)
        repeats.set(prompt, { of: line, path: ['message', 'content'], key: 'input' });
      prompt = undefined;
    } else if (line.get('systemPrompt')?.isString) {
      system ??= line;
      if (system !== line && system.get('systemPrompt')!.text === line.get('systemPrompt')!.text)
        repeats.set(line, { of: system, path: ['systemPrompt'], key: 'systemPrompt' });
    }
  }
  return repeats;
}

const STEP_BOUNDS = new Set(['step.begin', 'step.end']);
/** Keys by which a line refers to a call. */
const CALL_ID_KEYS = ['toolCallId', 'tool_call_id', 'parent_tool_call_id', 'task_tool_call_id'];

/** Lines about steps and calls that were removed. */
function linesToRemove(lines: readonly JsonNode[], kept: ReadonlyMap<JsonNode, Json>): ReadonlySet<JsonNode> {
  const steps = new Map<string | undefined, boolean>(); // whether any line of the step was kept
  const calls = new Map<string | undefined, boolean>(); // whether the call was kept
  for (const line of lines) {
    const isKept = kept.has(line);
    const event = line.get('event');
    const early = earlyOf(line) === 'ToolCall' ? line.get('message')?.get('payload') : undefined;
    const step = event?.get('stepUuid')?.string;
    const call = (event?.get('type')?.string === 'tool.call' ? event.get('toolCallId') : early?.get('id'))?.string;
    if (step !== undefined) steps.set(step, isKept || steps.get(step) === true);
    if (call !== undefined) calls.set(call, isKept || calls.get(call) === true);
  }
  const requests = new Set<string | undefined>();
  return new Set(
    lines.filter((line) => {
      const event = line.get('event');
      if (event !== undefined)
        return STEP_BOUNDS.has(event.get('type')?.string ?? '') && steps.get(event.get('uuid')?.string) === false;
      const early = earlyOf(line);
      if (early === 'ToolCall' || early === 'ToolResult') return false;
      const about = early === undefined ? line : line.get('message')!.get('payload')!;
      const isRemoved =
        CALL_ID_KEYS.some((key) => calls.get(about.get(key)?.string) === false) ||
        (early === 'ApprovalResponse' && requests.has(about.get('request_id')?.string));
      if (isRemoved && early === 'ApprovalRequest') requests.add(about.get('id')?.string);
      return isRemoved;
    }),
  );
}

/**
 * Completes an added line in the version of the adjacent one, with its time. A result refers to the line of its call.
 */
function completed(
  line: JsonFields,
  adjacent: JsonNode | undefined,
  uuids: ReadonlyMap<Json | undefined, JsonNode | undefined>,
): Json {
  const event = line['event'] as JsonFields | undefined;
  const isSystem = (line['message'] as JsonFields | undefined)?.['role'] === 'system'; // early versions have none
  if (!isSystem && adjacent !== undefined && earlyOf(adjacent) !== undefined)
    return (event === undefined ? earlyMessages(line['message'] as JsonFields) : [earlyResult(event)]).map(
      (message): Json => ({ timestamp: adjacent.get('timestamp'), message }),
    );
  const time = adjacent?.get('time') ?? adjacent?.get('created_at');
  if (event === undefined) return { ...line, time };
  const { type, ...rest } = event;
  return { ...line, event: { type, parentUuid: uuids.get(event['toolCallId']), ...rest }, time };
}

/** In early versions, each part and each call of a message is a line of its own. */
function earlyMessages({ role, content, toolCalls }: JsonFields): readonly Json[] {
  // Unlike TurnBegin, SteerInput is valid during a turn too.
  if (role !== 'assistant') return [{ type: 'SteerInput', payload: { user_input: content } }];
  const parts = (content as readonly Json[]).map((part): Json => ({ type: 'ContentPart', payload: part }));
  const calls = ((toolCalls ?? []) as readonly JsonFields[]).map(
    ({ id, name, arguments: input }): Json => ({
      type: 'ToolCall',
      payload: { type: 'function', id, function: { name, arguments: input } },
    }),
  );
  return parts.length + calls.length > 0 ? [...parts, ...calls] : [{ type: 'ContentPart', payload: EMPTY_PART }];
}

function earlyResult(event: JsonFields): Json {
  const { output, isError } = event['result'] as JsonFields;
  return {
    type: 'ToolResult',
    payload: {
      tool_call_id: event['toolCallId'],
      return_value: { is_error: isError === true, output, message: '', display: [] },
    },
  };
}
