/** Reads rows of `ui_messages.json`. */
import { patch } from '../../json/edit.js';
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { commaSet } from '../../lists.js';
import type { CallPart, ContentPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { metaMessage, present, wrongType } from '../shared/json-fields.js';
import { table } from '../shared/table.js';

/** What a row is: a text of one side, a call, what a tool put out, or the request itself. Others are notices. */
export type RowKind = 'user' | 'assistant' | 'thinking' | 'call' | 'output' | 'request' | 'summary';

const KINDS = table<RowKind>({
  task: 'user',
  user_feedback: 'user',
  user_feedback_diff: 'user',
  subtask_result: 'user',
  text: 'assistant',
  completion_result: 'assistant',
  reasoning: 'thinking',
  task_progress: 'thinking', // an argument of the call before it
  tool: 'call',
  command: 'call',
  use_mcp_server: 'call',
  browser_action_launch: 'call',
  browser_action: 'call',
  followup: 'call',
  plan_mode_respond: 'call',
  act_mode_respond: 'call',
  use_subagents: 'call',
  new_task: 'call',
  condense: 'call',
  summarize_task: 'call',
  report_bug: 'call',
  command_output: 'output',
  mcp_server_response: 'output',
  browser_action_result: 'output',
  codebase_search_result: 'output',
  api_req_started: 'request',
  condense_context: 'summary',
});

/** The tool of a row, where the row is called otherwise. */
const TOOLS = table<string>({
  command: 'execute_command',
  command_output: 'execute_command',
  use_mcp_server: 'use_mcp_tool',
  mcp_server_response: 'use_mcp_tool',
  browser_action_launch: 'browser_action',
  browser_action_result: 'browser_action',
  codebase_search_result: 'codebase_search',
  followup: 'ask_followup_question',
});
/** The names by which the model calls the tools of rows `tool`. */
const CALLED = table<string>({
  editedExistingFile: 'replace_in_file',
  appliedDiff: 'apply_diff',
  newFileCreated: 'write_to_file',
  readFile: 'read_file',
  listFilesTopLevel: 'list_files',
  listFilesRecursive: 'list_files',
  listCodeDefinitionNames: 'list_code_definition_names',
  searchFiles: 'search_files',
  codebaseSearch: 'codebase_search',
  webFetch: 'web_fetch',
  webSearch: 'web_search',
  summarizeTask: 'summarize_task',
  useSkill: 'use_skill',
  switchMode: 'switch_mode',
  newTask: 'new_task',
  finishTask: 'attempt_completion',
  fetchInstructions: 'fetch_instructions',
  insertContent: 'insert_content',
  searchAndReplace: 'search_and_replace',
  updateTodoList: 'update_todo_list',
});
/** Tools whose `content` is what came back, not what the model wrote. */
const ANSWERED = commaSet(`
  searchFiles, listFilesTopLevel, listFilesRecursive, listCodeDefinitionNames, webFetch, webSearch
`);
/** The argument that a text is, where it is no JSON. */
const ARGUMENTS = table<string>({
  command: 'command',
  browser_action_launch: 'url',
  followup: 'question',
  plan_mode_respond: 'response',
  act_mode_respond: 'response',
  new_task: 'context',
});
/** Calls whose output is a row of its own. */
const OUTPUT_FOLLOWS = new Set(['execute_command', 'use_mcp_tool', 'access_mcp_resource', 'browser_action']);

/** The `say` or the `ask` of a row. */
export function nameOf(raw: JsonNode): string | undefined {
  const type = raw.get('type')?.string;
  return type === 'say' || type === 'ask' ? raw.get(type)?.string : undefined;
}

/** Whether Cline wrote the row: then requests hold the results. */
export function isClines(raw: JsonNode): boolean {
  return raw.get('conversationHistoryIndex') !== undefined;
}

/** Undefined for a notice, and for what the next request repeats. */
export function kindOf(raw: JsonNode): RowKind | undefined {
  const kind = KINDS[nameOf(raw) ?? ''];
  const isAsked = raw.get('type')?.string === 'ask';
  if (kind === 'assistant') {
    const isTask = ['images', 'files'].some((key) => raw.get(key)?.isArray);
    const isFirst = raw.get('conversationHistoryIndex')?.number === -1;
    return nameOf(raw) === 'text' && (isTask || isFirst) ? 'user' : kind;
  }
  if (kind === 'output') return isAsked || isClines(raw) ? undefined : kind;
  return kind;
}

export function readRow(raw: JsonNode): Message {
  const kind = kindOf(raw);
  const text = present(raw, 'text');
  if (text !== undefined && !text.isString) return wrongType(text, 'text', 'a string');
  const meta = metaMessage(raw, false);
  const model = raw.get('modelInfo')?.get('modelId')?.string;
  const about = model === undefined ? { raw } : { model, raw };
  if (kind === 'summary') return readSummary(raw) ?? meta;
  if (kind === undefined || text === undefined || (kind === 'assistant' && isNothing(raw, text))) return meta;
  if (kind === 'request') return readRequest(raw) ?? meta;
  if (kind === 'call') return { role: 'assistant', parts: readCall(raw, text), ...about };
  if (kind === 'output') return { role: 'tool', parts: [readOutput(raw, text)], raw };
  const said: Part = { type: kind === 'thinking' ? 'thinking' : 'text', text, raw: text };
  if (kind === 'user') return { role: 'user', parts: [said, ...readImages(raw)], raw };
  return { role: 'assistant', parts: [said], ...about };
}

/** An ask for feedback on a result does not repeat it; a text that has only begun is empty. */
function isNothing(raw: JsonNode, text: JsonNode): boolean {
  const isOpen = raw.get('type')?.string === 'ask' || raw.get('partial')?.boolean === true;
  return isOpen && text.byteLength === 0;
}

function readImages(raw: JsonNode): Part[] {
  return (raw.get('images')?.items() ?? []).map((image) => ({ type: 'media', kind: 'image', raw: image }));
}

function readSummary(raw: JsonNode): Message | undefined {
  const summary = raw.get('contextCondense')?.get('summary');
  return summary?.isString ? { role: 'user', parts: [{ type: 'text', text: summary, raw: summary }], raw } : undefined;
}

// --- calls

/** The tool of a call, as the model calls it. */
export function toolOf(raw: JsonNode, value: JsonNode): string {
  const name = nameOf(raw)!;
  const shown = value.get('tool')?.string;
  if (name === 'tool') return CALLED[shown ?? ''] ?? shown ?? '';
  if (name === 'use_mcp_server') return value.get('type')?.string ?? TOOLS[name]!;
  return TOOLS[name] ?? name;
}

/** The arguments of a call: the members of its JSON text without the tool and without what came back. */
export function inputOf(raw: JsonNode, value: JsonNode): string {
  if (!value.isObject) return JSON.stringify({ [ARGUMENTS[nameOf(raw)!] ?? 'text']: value.text });
  const cleared = nameOf(raw) === 'tool' ? { tool: undefined } : {};
  const key = isClines(raw) ? shownResultKey(raw, value) : answerKey(raw, value);
  return printed(patch(value, { ...cleared, ...(key === undefined ? {} : { [key]: undefined }) }));
}

/** The member of a call of Cline that repeats what came back. */
export function shownResultKey(raw: JsonNode, value: JsonNode): 'content' | undefined {
  return nameOf(raw) === 'tool' && ANSWERED.has(value.get('tool')?.string ?? '') ? 'content' : undefined;
}

/** The member that holds what came back; undefined where rows of their own do. */
export function answerKey(raw: JsonNode, value: JsonNode): string | undefined {
  const shown = value.get('tool')?.string ?? '';
  const isContent = nameOf(raw) === 'tool' && ANSWERED.has(shown) && value.get('result') === undefined;
  if (OUTPUT_FOLLOWS.has(toolOf(raw, value)) || shown === 'codebaseSearch') return undefined;
  return isContent ? 'content' : 'result';
}

function readCall(raw: JsonNode, text: JsonNode): Part[] {
  const { value } = nested(text);
  const call: CallPart = {
    type: 'call',
    callId: undefined,
    tool: toolOf(raw, value),
    input: inputOf(raw, value),
    raw: text,
  };
  const key = isClines(raw) ? undefined : answerKey(raw, value);
  if (key === undefined) return [call];
  const found = value.get(key);
  const content: ContentPart[] = found?.isString ? [{ type: 'text', text: found, raw: found }] : [];
  const result: ResultPart = { type: 'result', callId: undefined, content, raw: text };
  return call.tool === '' ? [result] : [call, result]; // its call was removed
}

function readOutput(raw: JsonNode, text: JsonNode): ResultPart {
  return {
    type: 'result',
    callId: undefined,
    tool: TOOLS[nameOf(raw)!]!,
    content: [{ type: 'text', text, raw: text }],
    raw,
  };
}

// --- requests

/** A result in a request: `[read_file for 'a.ts'] Result:` and what came back. */
export interface Segment {
  readonly head: string;
  readonly tool: string;
  readonly text: string;
}

const HEAD = /(?:^|\n\n)\[(?!attempt_completion)(\w+)(?: for [^\n]*)?\] Result:(?:\n|$)/g;

/** The results of which a request consists; none if it begins with anything else, such as a task. */
export function segmentsOf(request: string): readonly Segment[] {
  const heads = [...request.matchAll(HEAD)];
  if (heads[0]?.index !== 0) return [];
  return heads.map((match, index) => {
    const start = match.index + match[0].length;
    return { head: match[0], tool: match[1]!, text: request.slice(start, heads[index + 1]?.index) };
  });
}

/** What was sent: the JSON text of the row, and its request. */
export function requestNode(raw: JsonNode): JsonNode | undefined {
  const text = raw.get('text');
  const request = text?.isString && nameOf(raw) === 'api_req_started' ? nested(text).value.get('request') : undefined;
  return request?.isString ? request : undefined;
}

function readRequest(raw: JsonNode): Message | undefined {
  const request = requestNode(raw);
  if (request === undefined) return undefined;
  const segments = isClines(raw) ? segmentsOf(request.text) : [];
  if (segments.length === 0) return { role: 'user', parts: [{ type: 'text', text: request, raw: request }], raw };
  const parts = segments.map(
    ({ tool, text }): ResultPart => ({
      type: 'result',
      callId: undefined,
      tool,
      content: text === '' ? [] : [{ type: 'text', text }],
      raw: request,
    }),
  );
  return { role: 'tool', parts, raw };
}
