/** Reads and writes the content, calls and results of Inspect messages. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, MediaPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, optionalString, present, stringIn, wrongType } from '../shared/json-fields.js';
import {
  idField,
  isCall,
  isContent,
  isResult,
  joinedString,
  readContent,
  readMedia,
  readText,
  writeContent,
} from '../shared/parts.js';
import { table } from '../shared/table.js';

const MEDIA = table<MediaPart['kind']>({ image: 'image', audio: 'audio', video: 'file', document: 'file' });
/** A block of a content. */
export function readBlock(block: JsonNode, path: string): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning')
    return readText(type === 'text' ? 'text' : 'thinking', block, type, path);
  return readMedia(block, MEDIA[type]);
}

/** A call in `tool_calls`. */
export function readCall(call: JsonNode, index: number): CallPart {
  const text = (key: string) => stringIn(call.get(key), `tool_calls[${index}].${key}`) ?? '';
  return { type: 'call', callId: text('id'), tool: text('function'), input: call.get('arguments') ?? '{}', raw: call };
}

/** The result of a tool's message: its content, and the text of its error unless the content is the same. */
export function readResult(raw: JsonNode, content: readonly ContentPart[]): ResultPart {
  const text = errorText(raw);
  const isRepeated = text === undefined || text.text === joinTexts(content);
  return {
    type: 'result',
    callId: optionalString(raw, 'tool_call_id') ?? '',
    tool: optionalString(raw, 'function'),
    content: isRepeated ? content : [...(isEmpty(content) ? [] : content), { type: 'text', text, raw: text }],
    isError: present(raw, 'error') !== undefined,
    raw,
  };
}

function errorText(raw: JsonNode): JsonNode | undefined {
  const text = present(raw, 'error')?.get('message');
  return text?.isString ? text : undefined;
}

function isEmpty(content: readonly ContentPart[]): boolean {
  return content.every((part) => part.type === 'text' && joinTexts([part]) === '');
}

/** Writes a content as one text if it was a text, or a new one; else as a list. */
export function writeBlocks(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, writeBlock, ({ text }) => ((old?.isString ?? true) ? json(text) : undefined));
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { text: json(part.text) });
  return part.type === 'thinking' ? patch(raw, { reasoning: json(part.text) }) : raw;
}

function freshBlock(part: Part): Json {
  if (part.type === 'text') return { type: 'text', text: json(part.text) };
  if (part.type === 'thinking') return { type: 'reasoning', reasoning: json(part.text) };
  return part.type !== 'call' && part.type !== 'result' && part.raw instanceof JsonNode
    ? part.raw
    : { type: part.type };
}

/**
 * The members of a result. The text of an error is in `error` only, or in `content` too: then both are updated. A text
 * that replaces all others does too, because Inspect sends `error` to most providers in place of `content`.
 */
export function writeResult({ content }: ResultPart, raw: JsonNode): JsonFields {
  const text = errorText(raw);
  const old = raw.get('content');
  if (text === undefined) return { content: writeBlocks(content, old) };
  const before = readContent(old, 'content', readBlock).filter(isContent);
  const own = content.find((part) => part.type === 'text' && text.is(part.raw));
  const others = content.filter((part) => part !== own);
  const staysInError = isEmpty(before) && content.length < 2 && content.every(({ type }) => type === 'text');
  const written = staysInError ? old : writeBlocks(others, old);
  const isKept = !staysInError && (written === old || old?.is(written)) && text.text === joinTexts(before);
  if (isKept) return { content: written };
  const message = own?.type === 'text' ? json(own.text) : joinedString(content);
  return { content: written, error: patch(raw.get('error')!, { message }) };
}

/** The member `tool_calls`. */
export function writeCalls(parts: readonly Part[], raw: JsonNode): JsonFields {
  const calls = parts.filter(isCall).map(writeCall);
  const list = present(raw, 'tool_calls');
  if (list === undefined) return calls.length === 0 ? {} : { tool_calls: calls };
  return { tool_calls: calls.length === 0 && list.length > 0 ? undefined : patchItems(list, calls) };
}

/** `view` displays the arguments, so it is removed if they change. */
function writeCall(call: CallPart): Json {
  const { raw } = call;
  if (!(raw instanceof JsonNode)) return freshCall(call);
  const old = raw.get('arguments');
  const input = old === undefined ? undefined : jsonValue(call.input);
  return patch(raw, {
    ...idField('id', call),
    arguments: input,
    ...(old === undefined || old.is(input) ? {} : { view: undefined }),
  });
}

function freshCall(call: CallPart): Json {
  return { id: call.callId ?? '', function: call.tool, arguments: jsonValue(call.input), type: 'function' };
}

/** A message that was added. */
export function fresh({ role, parts, model }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined) {
    const content = writeBlocks(result.content, undefined) ?? '';
    const error = result.isError ? { type: 'unknown', message: joinTexts(result.content) } : undefined;
    return { role: 'tool', content, tool_call_id: result.callId ?? '', function: result.tool, error };
  }
  const calls = parts.filter(isCall).map(freshCall);
  const contents = parts.filter((part) => !isCall(part));
  return {
    role: role === 'meta' ? 'user' : role,
    content: writeBlocks(contents, undefined) ?? '',
    tool_calls: calls.length === 0 ? undefined : calls,
    model,
  };
}
