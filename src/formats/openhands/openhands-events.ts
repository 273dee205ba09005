/** OpenHands events: which are calls, results, speech or none of these, whose they are, and the response of the model that stands in them. */
import { amend, type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Role } from '../../transcript/types.js';
import { optionalString, present, stringIn } from '../shared/json-fields.js';

/** Actions that call a tool. */
export const CALLS = new Set([
  'run',
  'run_ipython',
  'read',
  'write',
  'edit',
  'browse',
  'browse_interactive',
  'delegate',
  'think',
  'mcp',
  'call_tool_mcp',
  'task_tracking',
]);
/** Actions that say something. */
const SPEECH = new Set(['message', 'finish', 'reject', 'system']);
/** Observations that answer a call. */
export const RESULTS = new Set([
  'run',
  'run_ipython',
  'read',
  'write',
  'edit',
  'browse',
  'delegate',
  'think',
  'mcp',
  'task_tracking',
  'download',
  'error',
  'user_rejected',
  'success',
]);
/** Observations that the model reads as if the user had said them. */
const TOLD = new Set(['condense', 'chat', 'message']);
/** Events that the model never sees. */
const RECORDS = new Set([
  'recall',
  'null',
  'change_agent_state',
  'agent_state_changed',
  'condensation',
  'condensation_request',
  'start',
  'pause',
  'resume',
  'stop',
  'push',
  'send_pr',
  'summarize',
  'loop_recall',
  'microagent',
  'workspace_context',
]);
/** Every name of an action or an observation. */
export const NAMES = new Set([...CALLS, ...SPEECH, ...RESULTS, ...TOLD, ...RECORDS]);
/** The member that names the call, and holds the response of the model. */
export const META = 'tool_call_metadata';
type Kind = 'call' | 'speech' | 'result' | 'told' | 'record';

/** What an event is: an action or an observation, by its name, and by whether it belongs to a call. */
export function kindOf(raw: JsonNode): Kind {
  const action = optionalString(raw, 'action');
  const name = action ?? optionalString(raw, 'observation') ?? '';
  if (RECORDS.has(name)) return 'record';
  if (action !== undefined)
    return SPEECH.has(name) ? 'speech' : CALLS.has(name) || present(raw, META) !== undefined ? 'call' : 'record';
  if (TOLD.has(name)) return 'told';
  if (present(raw, META) !== undefined) return 'result';
  const isAnswer = raw.get('cause') !== undefined || raw.get('id') === undefined; // an error that nothing caused is news for the model
  return RESULTS.has(name) ? (isAnswer ? 'result' : 'told') : 'record';
}

/** Who says it; early events do not tell: whoever waits for a response is the agent. */
export function speaker(raw: JsonNode): Role {
  const action = raw.get('action')!.string;
  if (action === 'system') return 'system';
  const source = raw.get('source')?.string;
  if (source !== undefined) return source === 'user' ? 'user' : 'assistant';
  return action === 'message' && baseOf(raw).get('wait_for_response')?.boolean !== true ? 'user' : 'assistant';
}

/** Where the members of an action stand. */
export function baseOf(raw: JsonNode): JsonNode {
  const args = raw.get('args');
  return args?.isObject ? args : raw;
}

/** The id of a call: in the metadata; without it, of an action its own, of an observation that of its cause. */
export function callIdIn(raw: JsonNode, key: 'id' | 'cause'): string | undefined {
  const meta = present(raw, META);
  return meta === undefined ? idIn(raw, key) : (stringIn(meta.get('tool_call_id'), `${META}.tool_call_id`) ?? '');
}

/** A member as the text of an id, be it a number or a string. */
export function idIn(raw: JsonNode, key: string): string | undefined {
  const id = present(raw, key);
  return id === undefined || id.isObject || id.isArray ? undefined : id.text;
}

/** The calls of the response that stands in the metadata. */
export function responseCalls(meta: JsonNode | undefined): JsonNode[] {
  return meta?.get('model_response')?.get('choices')?.items()[0]?.get('message')?.get('tool_calls')?.items() ?? [];
}

/** Metadata whose response makes other calls. */
export function withCalls(edited: Json, meta: JsonNode, calls: readonly Json[]): Json {
  const response = meta.get('model_response');
  const choices = response?.get('choices');
  const message = choices?.items()[0]?.get('message');
  const list = message?.get('tool_calls');
  if (response === undefined || choices === undefined || message === undefined || !list?.isArray) return edited;
  const changed = patchItems(list, calls);
  if (changed === list) return edited;
  const [first, ...others] = choices.items();
  const count = calls.length === list.length ? {} : { total_calls_in_response: calls.length };
  return amend(meta, edited, {
    ...count,
    model_response: patch(response, {
      choices: patchItems(choices, [patch(first!, { message: patch(message, { tool_calls: changed }) }), ...others]),
    }),
  });
}
