/**
 * What a wire log of Kimi CLI says more than once, and of which version its lines are: prompts stand again where a turn begins and where
 * the configuration changes, steps and approvals belong to calls.
 */
import { amend, type Json, type JsonFields, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';

/** Types of lines that hold messages. */
export const MESSAGE = 'context.append_message';
export const EVENT = 'context.append_loop_event';
/** Lines of earlier versions. */
const EARLY = new Set([
  'TurnBegin',
  'SteerInput',
  'TurnEnd',
  'StepBegin',
  'StepInterrupted',
  'CompactionBegin',
  'CompactionEnd',
  'StatusUpdate',
  'ContentPart',
  'TextPart',
  'ThinkPart',
  'ToolCall',
  'ToolCallPart',
  'ToolResult',
  'ApprovalRequest',
  'ApprovalResponse',
  'SubagentEvent',
]);
/** Those that hold a part of what the model writes. */
export const EARLY_PARTS = new Set([
  'ContentPart',
  'TextPart',
  'ThinkPart',
  'ImageURLPart',
  'AudioURLPart',
  'VideoURLPart',
]);

/** The type of a line of an earlier version. */
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

/** The prompt stands in the log again with every change of the configuration: it is one message. */
export function onePrompt(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(isPrompt);
  return messages.map((message, index) =>
    isPrompt(message) && index > first ? { role: 'meta', parts: [], raw: message.raw } : message,
  );
}

function isPrompt({ role, raw }: Message): boolean {
  return role === 'system' && raw instanceof JsonNode && raw.get('type')?.string === 'config.update';
}

/** A part that says nothing: lines of parts have to hold one. */
export const NOTHING = { type: 'text', text: '' };

/**
 * Lines that stand for a message beside it go with it, or say what it says now: the prompt of a turn, the system prompt again, the
 * approval of a call, the begin and the end of a step of which nothing is left.
 */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const kept = new Map(
    rows.flatMap(({ node, json }): [JsonNode, Json][] => (node === undefined ? [] : [[node, json]])),
  );
  const gone = goneWith(before, kept);
  const repeats = repeatsIn(before);
  const uuids = new Map<Json | undefined, JsonNode | undefined>(); // of the calls so far
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node === undefined) return added(json as JsonFields, neighbour, uuids);
    const event = node.get('event');
    if (event?.get('type')?.string === 'tool.call')
      uuids.set(changed(json, 'event', 'toolCallId') ?? event.get('toolCallId')?.text, event.get('uuid'));
    if (gone.has(node)) return undefined;
    const repeat = repeats.get(node);
    if (repeat === undefined) return json;
    if (!kept.has(repeat.of)) return undefined;
    const now = changed(kept.get(repeat.of)!, ...repeat.path);
    return now === undefined ? json : amend(node, json, { [repeat.key]: now });
  });
}

/** What an edit says in the place of what stood at this path; undefined where it does not touch it. */
function changed(json: Json, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (now, key) => (now instanceof ObjectEdit ? now.fields.get(key) : undefined),
    json,
  );
}

interface Repeat {
  readonly of: JsonNode;
  /** Where it stands there, and here. */
  readonly path: readonly string[];
  readonly key: string;
}

/** The prompt of a turn is the user's next message; every prompt of the system like the first one repeats it. */
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
/** The members by which a line names a call that it is about. */
const ABOUT = ['toolCallId', 'tool_call_id', 'parent_tool_call_id', 'task_tool_call_id'];

/** Lines about steps and calls of which nothing is left. */
function goneWith(lines: readonly JsonNode[], kept: ReadonlyMap<JsonNode, Json>): ReadonlySet<JsonNode> {
  const [steps, calls] = [new Map<string | undefined, boolean>(), new Map<string | undefined, boolean>()]; // whether anything is left of it
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
      const isGone =
        ABOUT.some((key) => calls.get(about.get(key)?.string) === false) ||
        (early === 'ApprovalResponse' && requests.has(about.get('request_id')?.string));
      if (isGone && early === 'ApprovalRequest') requests.add(about.get('id')?.string);
      return isGone;
    }),
  );
}

/** A line that was added, in the version of its neighbours and with their time; a result names the call's own line. */
function added(
  line: JsonFields,
  neighbour: JsonNode | undefined,
  uuids: ReadonlyMap<Json | undefined, JsonNode | undefined>,
): Json {
  const event = line['event'] as JsonFields | undefined;
  const isSystem = (line['message'] as JsonFields | undefined)?.['role'] === 'system'; // early logs have no record for it
  if (!isSystem && neighbour !== undefined && earlyOf(neighbour) !== undefined)
    return (event === undefined ? earlyMessages(line['message'] as JsonFields) : [earlyResult(event)]).map(
      (message): Json => ({ timestamp: neighbour.get('timestamp'), message }),
    );
  const time = neighbour?.get('time') ?? neighbour?.get('created_at');
  if (event === undefined) return { ...line, time };
  const { type, ...rest } = event;
  return { ...line, event: { type, parentUuid: uuids.get(event['toolCallId']), ...rest }, time };
}

/** What a message says, and what it calls, are records of their own. */
function earlyMessages({ role, content, toolCalls }: JsonFields): readonly Json[] {
  if (role !== 'assistant') return [{ type: 'SteerInput', payload: { user_input: content } }]; // the turn may still run
  const said = (content as readonly Json[]).map((part): Json => ({ type: 'ContentPart', payload: part }));
  const called = ((toolCalls ?? []) as readonly JsonFields[]).map(
    ({ id, name, arguments: input }): Json => ({
      type: 'ToolCall',
      payload: { type: 'function', id, function: { name, arguments: input } },
    }),
  );
  return said.length + called.length > 0 ? [...said, ...called] : [{ type: 'ContentPart', payload: NOTHING }];
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
