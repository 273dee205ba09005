/** Writes the steps of Gemini's Interactions API. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { longest } from '../../transcript/text.js';
import type { ContentPart, Message, Part, ResultPart, ThinkingPart } from '../../transcript/types.js';
import { json, jsonValue, optionalString, present, stringOf } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, joinedString, writeContent } from '../shared/parts.js';
import { MEDIA, ROLES, SERVED } from './interaction-steps.js';

/** Writes an edited step as a patch of its source, an added one from scratch. */
export function writeStep(message: Message): Json {
  const { raw, parts, role } = message;
  if (!(raw instanceof JsonNode)) return freshStep(message);
  if (role === 'meta') return raw;
  if (!raw.isObject) return parts.every(({ type }) => type === 'text') ? joinedString(parts) : freshStep(message);
  return editedStep(message, raw);
}

function editedStep(message: Message, raw: JsonNode): Json {
  const { parts } = message;
  const type = optionalString(raw, 'type') ?? '';
  if (type in ROLES) return patch(raw, { content: writeBlocks(parts.filter(isContent), raw.get('content')) });
  if (type === 'thought') return patch(raw, { summary: writeSummary(parts, present(raw, 'summary')) });
  const [call, result] = [parts.find(isCall), parts.find(isResult)];
  if (type === 'function_call' && call !== undefined)
    return patch(raw, { ...idField('id', call), arguments: jsonValue(call.input) });
  if (type === 'function_result' && result !== undefined)
    return patch(raw, { ...idField('call_id', result), ...flag(result), result: writeResult(result, raw) });
  if (type !== 'text' && !(type in MEDIA)) return parts.some((part) => part.raw === raw) ? raw : freshStep(message);
  const [only] = parts;
  return parts.length === 1 && isContent(only!) ? writeBlock(only) : freshStep(message);
}

function flag({ isError, raw }: ResultPart): JsonFields {
  const old = raw instanceof JsonNode ? raw.get('is_error') : undefined;
  if (isError === undefined) return old === undefined ? {} : { is_error: undefined };
  return old?.boolean === isError ? {} : { is_error: isError };
}

function writeResult({ content }: ResultPart, raw: JsonNode): Json | undefined {
  const old = present(raw, 'result');
  const [only] = content;
  if (content.length === 1 && only!.type === 'text' && !old?.isArray) return json(only!.text);
  return writeBlocks(content, old?.isArray ? old : undefined) ?? '';
}

function writeSummary(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const left = parts.filter((part) => part.raw instanceof JsonNode && old?.encloses(part.raw));
  return old && patchItems(old, left.map(writeThought));
}

function writeThought(part: Part): Json {
  const raw = part.raw as JsonNode;
  return part.type === 'thinking' ? patch(raw, { text: json(part.text) }) : raw;
}

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray !== true && parts.length > 0) return parts.map(writeBlock);
  return writeContent(parts, old, writeBlock);
}

function writeBlock(part: ContentPart): Json {
  const { raw } = part;
  if (part.type !== 'text')
    return raw instanceof JsonNode || part.raw !== undefined ? (raw as Json) : { type: part.type };
  const isBlock = raw instanceof JsonNode && raw.get('type')?.string === 'text';
  return isBlock ? patch(raw, { text: json(part.text) }) : { type: 'text', text: stringOf(part.text) };
}

/** A step for a message that was added. A system instruction is no step, but a text. */
function freshStep({ role, parts }: Message): Json {
  if (role === 'system') return joinedString(parts);
  const [call, result] = [parts.find(isCall), parts.find(isResult)];
  if (result !== undefined) return freshResult(result);
  if (call !== undefined)
    return { type: 'function_call', id: call.callId ?? '', name: call.tool, arguments: jsonValue(call.input) };
  const thoughts = parts.filter((part): part is ThinkingPart => part.type === 'thinking');
  if (thoughts.length > 0) {
    const said = thoughts.filter(({ text }) => longest(text) > 0);
    return { type: 'thought', summary: said.map(({ text }) => ({ type: 'text', text: json(text) })) };
  }
  const [first] = parts;
  if (first?.type === 'opaque' && first.raw instanceof JsonNode && SERVED.test(first.raw.get('type')?.string ?? ''))
    return first.raw;
  return {
    type: role === 'assistant' ? 'model_output' : 'user_input',
    content: parts.filter(isContent).map(writeBlock),
  };
}

function freshResult({ callId, tool, content, isError }: ResultPart): Json {
  const [only] = content;
  const result = content.length === 1 && only!.type === 'text' ? json(only!.text) : content.map(writeBlock);
  return {
    type: 'function_result',
    name: tool,
    call_id: callId ?? '',
    result: content.length === 0 ? '' : result,
    is_error: isError,
  };
}
