/** Writes the items of the OpenAI Agents SDK. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, ResultPart, Role } from '../../transcript/types.js';
import { writeReasoning } from '../openai/openai-responses-write.js';
import { writeStreams } from '../openai/shell-output.js';
import { json, jsonValue } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, joinedString, writeContent } from '../shared/parts.js';
import { PIXEL } from '../shared/pixel.js';
import { CALLS, idKey, inputKey, itemKind } from './openai-agents-items.js';

/** Writes an edited item as a patch of its source, an added one from scratch. */
export function writeItem(message: Message): Json {
  const { raw, parts, role } = message;
  if (!(raw instanceof JsonNode)) return freshItem(message);
  if (role === 'meta') return raw;
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  switch (itemKind(raw)) {
    case 'message':
      return patch(raw, { content: writeBlocks(parts.filter(isContent), raw.get('content'), role) });
    case 'reasoning':
      return patch(raw, {
        content: writeReasoning(parts, raw, 'content'),
        rawContent: writeReasoning(parts, raw, 'rawContent'),
      });
    case 'call':
      return call === undefined ? freshItem(message) : patch(raw, callFields(call, raw, idKey(raw)));
    case 'result':
      return result === undefined ? freshItem(message) : patch(raw, resultFields(result, raw, idKey(raw)));
    case 'server call':
      if (result === undefined) return freshItem(message);
      return patch(raw, {
        ...(call === undefined ? { arguments: undefined } : callFields(call, raw, 'id')),
        output: joinedString(result.content),
      });
    default:
      return raw;
  }
}

/** A system prompt is a text; other content may be blocks. */
function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined, role: Role): Json | undefined {
  if (role === 'system' && old?.isArray !== true) return joinedString(parts);
  return writeContent(
    parts,
    old,
    (part) => writeBlock(part, role),
    role === 'assistant' ? () => undefined : ({ text }) => json(text),
  );
}

function writeBlock(part: ContentPart, role: Role): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { type: part.type };
  if (raw instanceof JsonNode && raw.isObject) return patch(raw, { text: json(part.text) });
  return { type: role === 'assistant' ? 'output_text' : 'input_text', text: json(part.text) };
}

function callFields(call: CallPart, raw: JsonNode, id: string): JsonFields {
  const key = inputKey(raw);
  const old = raw.get(key);
  if (old === undefined) return { ...idField(id, call), ...(call.input === '' ? {} : { [key]: json(call.input) }) };
  return { ...idField(id, call), [key]: old.isString ? json(call.input) : jsonValue(call.input) };
}

function resultFields(result: ResultPart, raw: JsonNode, id: string): JsonFields {
  const old = raw.get('output');
  const type = raw.get('type')?.string ?? '';
  return { ...idField(id, result), output: outputOf(result, old, type) };
}

/** A text stays a text, one block stays a block if it can, a list stays a list. */
function outputOf({ content }: ResultPart, old: JsonNode | undefined, type: string): Json | undefined {
  const [first] = content;
  if (type === 'computer_call_result') return first?.type === 'media' ? writeBlock(first, 'tool') : SCREENSHOT;
  if (TEXT_RESULTS.has(type)) return joinedString(content);
  if (old?.isArray)
    return patchItems(
      old,
      writeStreams(content, old, (part) => listedBlock(part, type)),
    );
  const blocks = old?.isObject ? writeStreams(content, old, singleBlock) : undefined;
  if (blocks !== undefined && blocks.length <= 1) return blocks[0] ?? { type: 'text', text: '' };
  return writeBlocks(content, undefined, 'tool') ?? (old && ''); // an output stays one
}

/** Results that can only be a text. */
const TEXT_RESULTS = new Set(['apply_patch_call_output', 'program_output']);

function listedBlock(part: ContentPart, type: string): Json {
  const isFresh = !(part.raw instanceof JsonNode);
  return isFresh && type === 'shell_call_output' ? shellOutput(part) : writeBlock(part, 'tool');
}

function singleBlock(part: ContentPart): Json {
  if (part.type === 'text' && !(part.raw instanceof JsonNode && part.raw.isObject))
    return { type: 'text', text: json(part.text) };
  return writeBlock(part, 'tool');
}

/** An item for a message that was added. */
function freshItem({ role, parts }: Message): Json {
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  if (result !== undefined && role === 'assistant')
    return {
      type: 'hosted_tool_call',
      id: result.callId ?? '',
      name: call?.tool ?? result.tool ?? '',
      ...(call === undefined ? {} : { arguments: json(call.input) }),
      status: 'completed',
      output: joinedString(result.content),
    };
  if (result !== undefined) return freshResult(result);
  if (call !== undefined) return freshCall(call);
  const thinking = parts.filter((part) => part.type === 'thinking');
  if (thinking.length > 0)
    return { type: 'reasoning', content: thinking.map(({ text }) => ({ type: 'input_text', text: json(text) })) };
  const [first] = parts;
  if (first?.type === 'opaque' && first.raw instanceof JsonNode && isItem(first.raw)) return first.raw;
  const content = parts.filter(isContent);
  if (role === 'assistant')
    return { type: 'message', role, status: 'completed', content: content.map((part) => writeBlock(part, role)) };
  return {
    type: 'message',
    role: role === 'system' ? role : 'user',
    content: writeBlocks(content, undefined, role) ?? '',
  };
}

function freshCall({ kind = 'function_call', callId, tool, input }: CallPart): Json {
  const key = CALLS[kind]?.input ?? 'arguments';
  const isText = key === 'code' || kind === 'function_call';
  return {
    type: kind,
    callId: callId ?? '',
    ...(kind === 'function_call' ? { name: tool } : {}),
    status: 'completed',
    [key]: isText ? json(input) : jsonValue(input),
    ...(kind === 'program' ? { fingerprint: '' } : {}),
  };
}

/** For a computer's result without a picture: it has no place for a text. */
const SCREENSHOT = { type: 'computer_screenshot', data: PIXEL };

/** A result of the type that the call requires. */
function freshResult({ kind = 'function_call', callId, tool, content }: ResultPart): Json {
  const common = { type: CALLS[kind]?.result ?? 'function_call_result', callId: callId ?? '' };
  const text = joinedString(content.filter((part) => part.type === 'text'));
  switch (kind) {
    case 'computer_call':
      return { ...common, output: SCREENSHOT };
    case 'shell_call':
      return { ...common, output: content.map(shellOutput) };
    case 'apply_patch_call':
      return { ...common, status: 'failed', output: text };
    case 'program':
      return { ...common, status: 'incomplete', output: text };
    case 'tool_search_call':
      return { ...common, status: 'completed', execution: 'client', tools: [] };
    default:
      return {
        ...common,
        name: tool ?? '',
        status: 'completed',
        output: content.length === 1 ? singleBlock(content[0]!) : (writeBlocks(content, undefined, 'tool') ?? ''),
      };
  }
}

function shellOutput(part: ContentPart): Json {
  if (part.type !== 'text') return writeBlock(part, 'tool');
  return { stdout: '', stderr: json(part.text), outcome: { type: 'exit', exitCode: 1 } };
}

/** Whether an opaque part was an item of its own, not a block. */
function isItem(raw: JsonNode): boolean {
  return raw.get('type')?.isString === true && itemKind(raw) === 'other';
}
