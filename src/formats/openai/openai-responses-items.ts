/** The kinds of items of OpenAI Responses, and the keys of their fields. */
import type { JsonNode } from '../../json/node.js';
import type { Role } from '../../transcript/types.js';
import { optionalString } from '../shared/json-fields.js';
import { table } from '../shared/table.js';

export const ROLES = table<Role>({ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' });
export const MEDIA = table<'image' | 'audio' | 'file'>({
  input_image: 'image',
  computer_screenshot: 'image',
  input_audio: 'audio',
  input_file: 'file',
});
/** Block types that only this format has. */
export const OWN_BLOCKS = new Set(['input_text', 'output_text', 'refusal', ...Object.keys(MEDIA)]);
/** Keys of a call's arguments: of a function, a custom tool, a shell or computer, a patch. */
const ARGUMENT_KEYS = ['arguments', 'input', 'action', 'actions', 'operation'];

export const SHELL_OUTPUT = 'local_shell_call_output';

/** `server call`: a call that ran on the server, with its result in the same item. */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'result' | 'server call' | 'other';

/**
 * The kind of an item. Calls that the client answers have a `call_id`; so have programs, which the server runs:
 * https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling
 */
export function itemKind(raw: JsonNode): ItemKind {
  const type = optionalString(raw, 'type') ?? 'message';
  if (type === 'message' || type === 'reasoning') return type;
  if (type === 'function_call' || type === 'custom_tool_call') return 'call';
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return 'result';
  if (type === 'mcp_call') return raw.get('output')?.isString ? 'server call' : 'other';
  if (isBareOutput(raw)) return 'result';
  if (!raw.get('call_id')?.isString || raw.get('execution')?.string === 'server') return 'other';
  if (type === 'program_output') return 'other';
  if (type.endsWith('_call')) return 'call';
  return type.endsWith('_output') ? 'result' : 'other';
}

/**
 * The key of what a call and its output have in common. OpenAI's SDKs know only an `id` of the output of a local shell,
 * "of the local shell tool call": of the call, or of its item, and then the output has no id of the call.
 * https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_input_item_param.py
 */
export function callKey(raw: JsonNode): 'call_id' | 'id' {
  return isBareOutput(raw) && !raw.get('id')!.text.startsWith('lsh_') ? 'id' : 'call_id';
}

/** Whether it is the output of a local shell with an `id` alone. */
export function isBareOutput(raw: JsonNode): boolean {
  return (
    raw.get('type')?.string === SHELL_OUTPUT && raw.get('call_id') === undefined && raw.get('id')?.isString === true
  );
}

/** The role of an item without a kind of its own. */
export function otherItemRole(raw: JsonNode): Role {
  return ROLES[raw.get('role')?.string ?? ''] ?? 'assistant';
}

/** The key of a call's arguments; undefined if it has none. */
export function argumentsKey(raw: JsonNode): string | undefined {
  return ARGUMENT_KEYS.find((key) => raw.get(key) !== undefined);
}
