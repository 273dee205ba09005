/** OpenHands events: their kinds, roles and call ids, and the model's response inside them. */
import { amend, type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { Role } from '../../transcript/types.js';
import { optionalString, present, stringIn } from '../shared/json-fields.js';

/** Names of actions that call a tool. */
export const CALLS = commaSet(`
  run, run_ipython, read, write, edit, browse, browse_interactive, delegate, think, mcp, call_tool_mcp, task_tracking
`);
/** Names of actions that hold a text. */
const SPEECH = new Set(['message', 'finish', 'reject', 'system']);
/** Names of observations that answer a call. */
export const RESULTS = commaSet(`
  run, run_ipython, read, write, edit, browse, delegate, think, mcp, task_tracking, download, error, user_rejected,
  success
`);
/** Names of observations that the model reads as a user's message. */
const NOTICES = new Set(['condense', 'chat', 'message']);
/** Names of events that the model never sees. */
const META_EVENTS = commaSet(`
  recall, null, change_agent_state, agent_state_changed, condensation, condensation_request, start, pause, resume,
  stop, push, send_pr, summarize, loop_recall, microagent, workspace_context
`);
/** All names of actions and observations. */
export const NAMES = new Set([...CALLS, ...SPEECH, ...RESULTS, ...NOTICES, ...META_EVENTS]);
/** The member that names the call, and holds the model's response. */
export const RESPONSE_METADATA = 'tool_call_metadata';
type Kind = 'call' | 'speech' | 'result' | 'notice' | 'meta';

/** The kind of an event, by its name and by whether it belongs to a call. */
export function kindOf(raw: JsonNode): Kind {
  const action = optionalString(raw, 'action');
  const name = action ?? optionalString(raw, 'observation') ?? '';
  if (META_EVENTS.has(name)) return 'meta';
  if (action !== undefined) {
    if (SPEECH.has(name)) return 'speech';
    return CALLS.has(name) || present(raw, RESPONSE_METADATA) !== undefined ? 'call' : 'meta';
  }
  if (NOTICES.has(name)) return 'notice';
  if (present(raw, RESPONSE_METADATA) !== undefined) return 'result';
  if (!RESULTS.has(name)) return 'meta';
  // An observation without a cause, such as an error of the runtime, answers nothing.
  return raw.get('cause') !== undefined || raw.get('id') === undefined ? 'result' : 'notice';
}

/** Whose message an action is. Early events have no source: a message that waits for a response is the agent's. */
export function roleOf(raw: JsonNode): Role {
  const action = raw.get('action')!.string;
  if (action === 'system') return 'system';
  const source = raw.get('source')?.string;
  if (source !== undefined) return source === 'user' ? 'user' : 'assistant';
  return action === 'message' && baseOf(raw).get('wait_for_response')?.boolean !== true ? 'user' : 'assistant';
}

/** The object that holds the members of an action: `args`, or in early events the action itself. */
export function baseOf(raw: JsonNode): JsonNode {
  const args = raw.get('args');
  return args?.isObject ? args : raw;
}

/** The id of an event's call: in the metadata, else the action's own `id` or the observation's `cause`. */
export function callIdOf(raw: JsonNode, key: 'id' | 'cause'): string | undefined {
  const meta = present(raw, RESPONSE_METADATA);
  if (meta === undefined) return idIn(raw, key);
  return stringIn(meta.get('tool_call_id'), `${RESPONSE_METADATA}.tool_call_id`) ?? '';
}

/** Whether an id is the number of an event. */
export function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

/** An id, a number or a string, as text. */
export function idIn(raw: JsonNode, key: string): string | undefined {
  const id = present(raw, key);
  return id === undefined || id.isObject || id.isArray ? undefined : id.text;
}

/** The calls of the response in the metadata. */
export function responseCalls(meta: JsonNode | undefined): JsonNode[] {
  return meta?.get('model_response')?.get('choices')?.items()[0]?.get('message')?.get('tool_calls')?.items() ?? [];
}

/** The metadata with other calls in its response; `edited` is an edit of `meta`, or `meta` itself. */
export function withCalls(edited: Json, meta: JsonNode, calls: readonly Json[]): Json {
  const response = meta.get('model_response');
  const choices = response?.get('choices');
  const message = choices?.items()[0]?.get('message');
  const list = message?.get('tool_calls');
  if (response === undefined || choices === undefined || message === undefined || !list?.isArray) return edited;
  const changed = patchItems(list, calls);
  if (changed === list) return edited;
  const [first, ...others] = choices.items();
  const choice = patch(first!, { message: patch(message, { tool_calls: changed }) });
  return amend(meta, edited, {
    ...(calls.length === list.length ? {} : { total_calls_in_response: calls.length }),
    model_response: patch(response, { choices: patchItems(choices, [choice, ...others]) }),
  });
}
