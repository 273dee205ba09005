/** The kinds of items of the OpenAI Agents SDK, and the keys of their fields. */
import type { JsonNode } from '../../json/node.js';
import type { Role } from '../../transcript/types.js';
import type { ItemKind } from '../openai/openai-responses-items.js';
import { optionalString } from '../shared/json-fields.js';
import { table } from '../shared/table.js';

export const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });

export const MEDIA = table<'image' | 'audio' | 'file'>({
  input_image: 'image',
  image: 'image',
  computer_screenshot: 'image',
  input_file: 'file',
  file: 'file',
  audio: 'audio',
});

/** The calls that the client answers: the key of their arguments, and the type of their results. */
export const CALLS = table<{ readonly input: string; readonly result: string }>({
  function_call: { input: 'arguments', result: 'function_call_result' },
  computer_call: { input: 'action', result: 'computer_call_result' },
  shell_call: { input: 'action', result: 'shell_call_output' },
  apply_patch_call: { input: 'operation', result: 'apply_patch_call_output' },
  program: { input: 'code', result: 'program_output' },
  tool_search_call: { input: 'arguments', result: 'tool_search_output' },
});

/** The type of the calls that a result answers. */
export const CALL_OF = table<string>(Object.fromEntries(Object.entries(CALLS).map(([call, of]) => [of!.result, call])));

export function itemKind(raw: JsonNode): ItemKind {
  const type = optionalString(raw, 'type') ?? 'message';
  if (type === 'message' || type === 'reasoning') return type;
  if (type === 'hosted_tool_call') return raw.get('output')?.isString ? 'server call' : 'other';
  if (!raw.get(idKey(raw))?.isString || raw.get('execution')?.string === 'server') return 'other';
  if (CALLS[type] !== undefined) return 'call';
  return CALL_OF[type] === undefined ? 'other' : 'result';
}

/** The key of the id of a call. Searches for tools may have the spelling of the API. */
export function idKey(raw: JsonNode): string {
  return raw.get('callId') === undefined && /^tool_search/.test(raw.get('type')?.string ?? '') ? 'call_id' : 'callId';
}

/** The key of the arguments of a call: a computer may have several actions. */
export function inputKey(raw: JsonNode): string {
  const key = CALLS[raw.get('type')!.text]?.input ?? 'arguments';
  return key === 'action' && raw.get('actions') !== undefined && raw.get('action') === undefined ? 'actions' : key;
}
