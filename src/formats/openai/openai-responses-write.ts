/** Writes the items of OpenAI Responses. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, ThinkingPart } from '../../transcript/types.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, joinedString, writeContent } from '../shared/parts.js';
import { PIXEL } from '../shared/pixel.js';
import { table } from '../shared/table.js';
import { argumentsKey, callKey, itemKind, OWN_BLOCKS, otherItemRole } from './openai-responses-items.js';
import { writeStreams } from './shell-output.js';

/** The key of the arguments of an added call, by its type. Default: `action`. */
const ARGUMENTS_KEY = table<string>({
  custom_tool_call: 'input',
  tool_search_call: 'arguments',
  apply_patch_call: 'operation',
});

/** Writes an edited item as a patch of its source, an added one from scratch. */
export function writeItem(message: Message): Json {
  const { raw, parts, role } = message;
  if (!(raw instanceof JsonNode)) return freshItem(message);
  if (role === 'meta') return raw;
  if (!raw.isObject && role === 'user' && parts.some(({ type }) => type !== 'text')) return freshItem(message);
  if (!raw.isObject && role === 'user') return joinedString(parts);
  if (!raw.isObject) return writeBlocks(parts.filter(isContent), raw, role) ?? raw;
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  switch (itemKind(raw)) {
    case 'message':
      return patch(raw, { content: writeBlocks(parts.filter(isContent), raw.get('content'), role) });
    case 'reasoning':
      return patch(raw, {
        summary: writeReasoning(parts, raw, 'summary'),
        content: writeReasoning(parts, raw, 'content'),
      });
    case 'call':
      return call === undefined ? freshItem(message) : patch(raw, callFields(call, raw, 'call_id'));
    case 'result':
      return result === undefined ? freshItem(message) : patch(raw, resultFields(result, raw, callKey(raw)));
    case 'server call':
      if (result === undefined) return freshItem(message);
      return patch(raw, {
        ...(call === undefined ? { name: undefined, arguments: undefined } : callFields(call, raw, 'id')),
        ...resultFields(result, raw, 'id'),
      });
    default:
      return raw;
  }
}

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined, role: Role): Json | undefined {
  return writeContent(parts, old, (part) => writeBlock(part, role));
}

function writeOutput(content: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  const blocks = old && writeStreams(content, old, (part) => writeBlock(part, 'tool'));
  if (blocks !== undefined && old?.isArray) return patchItems(old, blocks);
  return old?.isObject && blocks?.length === 1 ? blocks[0] : writeBlocks(content, old, 'tool');
}

function writeBlock(part: ContentPart, role: Role): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { type: part.type };
  if (raw instanceof JsonNode && raw.isObject) return patch(raw, { text: json(part.text) });
  return role === 'assistant'
    ? { type: 'output_text', text: json(part.text), annotations: [] }
    : { type: 'input_text', text: json(part.text) };
}

/** The thinking that was read from this member. */
export function writeReasoning(parts: readonly Part[], raw: JsonNode, key: string): Json | undefined {
  const old = present(raw, key);
  if (old === undefined) return raw.get(key);
  const items = old.items();
  const thinking = parts.filter(
    (part): part is ThinkingPart => part.type === 'thinking' && items.some((item) => item.is(part.raw)),
  );
  return patchItems(
    old,
    thinking.map((part) => patch(part.raw as JsonNode, { text: json(part.text) })),
  );
}

function callFields(call: CallPart, raw: JsonNode, id: string): JsonFields {
  const key = argumentsKey(raw);
  if (key === undefined) return { ...idField(id, call), ...(call.input === '' ? {} : { arguments: json(call.input) }) };
  return { ...idField(id, call), [key]: raw.get(key)!.isString ? json(call.input) : jsonValue(call.input) };
}

function resultFields(result: ResultPart, raw: JsonNode, id: string): JsonFields {
  return { ...idField(id, result), output: outputOf(result, raw) };
}

function outputOf({ content }: ResultPart, raw: JsonNode): Json | undefined {
  const type = raw.get('type')?.string;
  if (type === 'mcp_call' && content.length > 0) return joinedString(content); // its output is a string
  if (type === 'computer_call_output' && content[0]?.type !== 'media') return SCREENSHOT;
  return writeOutput(content, raw.get('output'));
}

/** An item for a message that was added. */
function freshItem({ role, parts }: Message): Json {
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  const called = call && { name: call.tool, arguments: json(call.input) };
  if (result !== undefined && role === 'assistant')
    return {
      type: 'mcp_call',
      id: result.callId ?? '',
      ...called,
      output: writeBlocks(result.content, undefined, 'tool') ?? '',
    };
  if (result !== undefined) return freshResult(result);
  if (call !== undefined) return freshCall(call);
  const thinking = parts.filter((part) => part.type === 'thinking');
  if (thinking.length > 0)
    return { type: 'reasoning', summary: thinking.map(({ text }) => ({ type: 'summary_text', text: json(text) })) };
  const [first] = parts;
  if (first?.type === 'opaque' && first.raw instanceof JsonNode && isItem(first.raw, role)) return first.raw;
  return {
    type: 'message',
    role: role === 'tool' || role === 'meta' ? 'user' : role,
    content: writeBlocks(parts.filter(isContent), undefined, role) ?? '',
  };
}

function freshCall({ kind, callId, tool, input }: CallPart): Json {
  if (kind === undefined) return { type: 'function_call', call_id: callId ?? '', name: tool, arguments: json(input) };
  const name = tool === kind ? {} : { name: tool };
  const key = ARGUMENTS_KEY[kind] ?? 'action';
  return { type: kind, call_id: callId ?? '', ...name, [key]: key === 'input' ? json(input) : jsonValue(input) };
}

/**
 * A computer's output is a picture and has no place for a text: one transparent pixel.
 * https://platform.openai.com/docs/api-reference/responses/create, 2026-01
 */
const SCREENSHOT = { type: 'computer_screenshot', image_url: PIXEL };

/** An output of the type that the call requires. An output without a text field is left empty. */
function freshResult({ kind, callId, content }: ResultPart): Json {
  const output = writeBlocks(content, undefined, 'tool') ?? '';
  const call_id = callId ?? '';
  switch (kind) {
    case undefined:
      return { type: 'function_call_output', call_id, output };
    case 'tool_search_call':
      return { type: 'tool_search_output', call_id, status: 'completed', execution: 'client', tools: [] };
    case 'apply_patch_call':
      return { type: 'apply_patch_call_output', call_id, status: 'failed', output };
    case 'shell_call':
      return {
        type: 'shell_call_output',
        call_id,
        output: content.map((part) =>
          part.type === 'text'
            ? { stdout: '', stderr: json(part.text), outcome: { type: 'exit', exit_code: 1 } }
            : writeBlock(part, 'tool'),
        ),
      };
    case 'computer_call':
      return { type: 'computer_call_output', call_id, output: SCREENSHOT };
    default:
      return { type: `${kind}_output`, call_id, output };
  }
}

/** Whether an opaque part was an item of its own, not a block. */
function isItem(raw: JsonNode, role: Role): boolean {
  return (
    raw.get('type')?.isString === true &&
    !OWN_BLOCKS.has(raw.get('type')!.text) &&
    itemKind(raw) === 'other' &&
    otherItemRole(raw) === role
  );
}
