/**
 * Items of the Responses API by OpenAI's published schema (InputItem, OpenAPI description 2.3.0), which allows unknown
 * members. It requires ids, `annotations`, `logprobs` and `detail`, which the API does not. Call ids and text types
 * have rules of their own. https://platform.openai.com/docs/api-reference/responses
 */
import { table } from '../../formats/shared/table.js';
import type { JsonNode } from '../../json/node.js';
import type { Shape, Shapes } from './shape.js';

/** The API accepted null in recorded requests. */
const STATUS: Shape = { either: [['in_progress', 'completed', 'incomplete'], 'null'] };
const URI: Shape = {
  either: [{ pattern: /^[a-z][a-z\d+.-]*:\S+$/i, expected: 'a URL such as https:… or data:…' }, 'null'],
};
const DETAIL: Shape = { either: [['low', 'high', 'auto', 'original'], 'null'] };
const id = { 'id?': 'string' };
const orNull = { 'id?': 'string|null' };
const call = { ...id, 'call_id?': 'string', 'status?': STATUS };

const inputs: Shapes = {
  input_text: { fields: { text: 'string' } },
  input_image: { fields: { 'image_url?': URI, 'file_id?': 'string|null', 'detail?': DETAIL } },
  input_file: {
    fields: { 'file_id?': 'string|null', 'filename?': 'string|null', 'file_data?': 'string|null', 'file_url?': URI },
  },
};
const shownText: Shape = { fields: { text: 'string' } };
/** Includes text types of the other role, which responses/content-type-role reports. */
const contents: Shapes = {
  ...inputs,
  output_text: {
    fields: {
      text: 'string',
      'annotations?': { list: 'object' },
      'logprobs?': { either: [{ list: 'object' }, 'null'] },
    },
  },
  refusal: { fields: { refusal: 'string' } },
  text: shownText,
};
const listOf = (of: Shapes): Shape => ({ list: { tag: 'type', of } });
const output: Shape = { either: ['string', listOf(inputs)] };

const message: Shape = {
  fields: {
    ...id,
    role: ['user', 'assistant', 'system', 'developer'],
    content: { either: ['string', listOf(contents)] },
    'status?': STATUS,
    'phase?': { either: [['commentary', 'final_answer'], 'null'] },
  },
};
/** An item of a server tool: only what the schema requires. */
const server = (fields: Shapes): Shape => ({ fields: { id: 'string|null', 'status?': 'string|null', ...fields } });
const shell = { ...orNull, 'call_id?': 'string|null', 'status?': 'string|null' };

const reference: Shape = { fields: { id: 'string' } };

/** An item, by its type. */
/**
 * The schema (ComputerScreenshotImage) has `computer_screenshot` alone; the API takes `input_image`, too, as OpenAI's
 * sample sends it.
 * https://github.com/openai/openai-cua-sample-app/blob/main/agent/agent.py (2026-11-29)
 */
const screenshot: Shape = {
  fields: { type: ['computer_screenshot', 'input_image'], 'image_url?': 'string|null', 'file_id?': 'string|null' },
};

const ITEMS: Shapes = {
  message,
  // UKGovernmentBEIS/inspect_ai#4682, 2026-07
  function_call: { fields: { ...call, name: 'string', arguments: { longest: 1_048_576 } } },
  function_call_output: { fields: { ...orNull, 'call_id?': 'string|null', 'status?': STATUS, output } },
  custom_tool_call: { fields: { ...call, name: 'string', input: 'string' } },
  custom_tool_call_output: { fields: { ...call, output } },
  reasoning: {
    fields: {
      ...id,
      summary: listOf({ summary_text: shownText }),
      'content?': { either: [listOf({ reasoning_text: shownText, text: shownText }), 'null'] },
      'encrypted_content?': 'string|null',
      'status?': STATUS,
    },
  },
  item_reference: reference,
  compaction: { fields: { ...orNull, encrypted_content: 'string' } },
  compaction_trigger: { fields: {} },
  additional_tools: { fields: { ...orNull, role: ['developer'], tools: 'array' } },
  file_search_call: server({ queries: { list: 'string' }, 'results?': 'array|null' }),
  // openai/codex#6945, openai/codex#7073, 2025-11
  web_search_call: server({
    'action?': { either: [{ fields: { 'type?': ['search', 'open_page', 'find_in_page', 'find'] } }, 'null'] },
  }),
  computer_call: { fields: { ...shell, 'action?': 'object', 'actions?': 'array', pending_safety_checks: 'array' } },
  computer_call_output: { fields: { ...shell, output: screenshot, 'acknowledged_safety_checks?': 'array|null' } },
  image_generation_call: server({ result: 'string|null' }),
  code_interpreter_call: server({ container_id: 'string', code: 'string|null', 'outputs?': 'array|null' }),
  local_shell_call: { fields: { ...shell, action: 'object' } },
  local_shell_call_output: { fields: { ...shell, output: 'string' } },
  shell_call: { fields: { ...shell, action: 'object' } },
  shell_call_output: { fields: { ...shell, output: 'array' } },
  apply_patch_call: { fields: { ...shell, operation: 'object' } },
  apply_patch_call_output: { fields: { ...shell, 'output?': 'string|null' } },
  tool_search_call: { fields: { ...shell, arguments: 'object' } },
  tool_search_output: { fields: { ...shell, tools: 'array' } },
  mcp_list_tools: server({ server_label: 'string', tools: 'array', 'error?': 'any' }),
  mcp_approval_request: server({ server_label: 'string', name: 'string', arguments: 'string' }),
  mcp_approval_response: {
    fields: { ...orNull, approval_request_id: 'string', approve: 'boolean', 'reason?': 'string|null' },
  },
  mcp_call: server({
    server_label: 'string',
    name: 'string',
    arguments: 'string',
    'output?': 'string|null',
    'error?': 'any',
  }),
  program: { fields: { ...shell, code: 'string', fingerprint: 'string' } },
  program_output: { fields: { ...shell, result: 'string', status: ['completed', 'incomplete'] } },
};

export const RESPONSES_ITEM: Shape = { tag: 'type', of: ITEMS };
export const RESPONSES_MESSAGE: Shape = message;
export const RESPONSES_REFERENCE: Shape = reference;

/**
 * All members of the items that clients write most, which reject any other.
 * https://platform.openai.com/docs/api-reference/responses/create, openai/codex#10832, 2026-11
 */
const MEMBERS = table<readonly string[]>({
  message: ['id', 'type', 'role', 'content', 'status', 'phase'],
  function_call: ['id', 'type', 'call_id', 'name', 'arguments', 'status', 'namespace', 'caller', 'created_by'],
  function_call_output: ['id', 'type', 'call_id', 'output', 'status', 'name', 'namespace', 'caller', 'created_by'],
});

/** The members of an item, and marks of its contents for Anthropic's cache, that the API does not know. */
export function unknownMembers(item: JsonNode): { readonly key: string; readonly value: JsonNode }[] {
  const known = MEMBERS[item.get('type')?.string ?? (item.get('role') === undefined ? '' : 'message')];
  const marks = (item.get('content')?.items() ?? []).flatMap((part) => part.get('cache_control') ?? []);
  return [
    ...item
      .members()
      .flatMap(({ key, value }) => (known?.includes(key.text) !== false ? [] : { key: key.text, value })),
    ...marks.map((value) => ({ key: 'cache_control', value })),
  ];
}
