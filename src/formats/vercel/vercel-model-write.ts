/** Writes the content of model messages of the Vercel AI SDK: each part keeps the spelling of its version. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, MediaPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { jsonValue, stringOf } from '../shared/json-fields.js';
import { idField } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { isBlocks, mergeIntoList, writeBlocks, writeValue } from './ai-sdk.js';
import { isApproval, typedOutput, valueKey, version4ResultKey } from './vercel-model-read.js';

/** Writes the parts of a message that was read: as a text if one text is all, else as a list. */
export function writeContent(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const [first] = parts;
  if (old?.isArray) return writeParts(parts, old);
  if (first === undefined) return old?.isString ? '' : old;
  return parts.length === 1 && first.type === 'text'
    ? stringOf(first.text)
    : parts.map((part) => writePart(part, false));
}

/** The content of a message that was added. */
export function freshContent({ role, parts }: Message): Json {
  const [first] = parts;
  if (role === 'system' || (role !== 'tool' && first === undefined))
    return joinTexts(parts.filter((part) => part.type === 'text'));
  if (role !== 'tool' && parts.length === 1 && first!.type === 'text') return stringOf(first!.text);
  return parts.map((part) => (role === 'user' && part.type === 'media' ? userMedia(part) : writePart(part, false)));
}

/** Media of a result, in the spelling of a user message. */
function userMedia(part: MediaPart): Json {
  const { raw } = part;
  const type = raw instanceof JsonNode ? raw.get('type')?.string : undefined;
  if (!(raw instanceof JsonNode) || type === 'image' || type === 'file') return writePart(part, false);
  const data = raw.get('data') ?? raw.get('url');
  if (data?.isString !== true) return raw;
  const mediaType = raw.get('mediaType') ?? (part.kind === 'image' ? 'image/*' : 'application/octet-stream');
  return { type: 'file', data, mediaType, filename: raw.get('filename') };
}

function writeParts(parts: readonly Part[], old: JsonNode): Json {
  const isV4 = old.items().some((part) => part.get('result') !== undefined || part.get('args') !== undefined);
  const written = parts.map((part) => ({ from: part.raw, json: writePart(part, isV4) }));
  return mergeIntoList(
    old,
    (item) => !isApproval(item),
    written,
    (item, index, items) => writeApproval(item, items.slice(0, index), parts),
  );
}

/** A request to approve a call is removed with the call, and gets the call's new id. */
function writeApproval(item: JsonNode, before: readonly JsonNode[], parts: readonly Part[]): Json | undefined {
  const id = item.get('toolCallId')?.string;
  const called = before.findLast(
    (part) => part.get('type')?.string === 'tool-call' && part.get('toolCallId')?.string === id,
  );
  if (called === undefined) return item;
  const part = parts.find(({ raw }) => called.is(raw));
  return part?.type === 'call' && part.callId ? patch(item, { toolCallId: part.callId }) : part && item;
}

function writePart(part: Part, isV4: boolean): Json {
  const old = part.raw instanceof JsonNode && part.raw.isObject ? part.raw : undefined;
  if (part.type === 'call') return writeCall(part, old, isV4);
  if (part.type === 'result')
    return old === undefined
      ? freshResult(part, isV4)
      : patch(old, { ...idField('toolCallId', part), ...resultFields(part, old) });
  if (part.type === 'text' || part.type === 'thinking') {
    if (old === undefined) return { type: part.type === 'text' ? 'text' : 'reasoning', text: stringOf(part.text) };
    return old.get('text') === undefined ? old : patch(old, { text: stringOf(part.text) });
  }
  return old ?? { type: part.type };
}

function writeCall(call: CallPart, old: JsonNode | undefined, isV4: boolean): Json {
  const { callId, tool, input } = call;
  if (old === undefined)
    return { type: 'tool-call', toolCallId: callId ?? '', toolName: tool, [isV4 ? 'args' : 'input']: jsonValue(input) };
  const key = ['input', 'args'].find((name) => old.get(name) !== undefined);
  const isUnchanged = key === undefined && input === '{}';
  const inputFields = isUnchanged ? {} : { [key ?? (isV4 ? 'args' : 'input')]: jsonValue(input) };
  return patch(old, { ...idField('toolCallId', call), ...inputFields });
}

function resultFields({ content }: ResultPart, old: JsonNode): JsonFields {
  const output = typedOutput(old);
  if (output !== undefined) return { output: writeOutput(content, output) };
  const key = version4ResultKey(old);
  const value = old.get(key);
  const repeated = old.get('experimental_content');
  const result = repeated !== undefined && isBlocks(value) ? writeBlocks(content, value) : writeValue(content, value);
  const isSame = value?.is(result) === true;
  return {
    [key]: result,
    ...(repeated === undefined || isSame ? {} : { experimental_content: isBlocks(value) ? result : undefined }),
  };
}

/** Types of outputs whose value is JSON, and the type for a text: JSON that was cut is no longer JSON. */
const TEXT_TYPES = table<string>({ json: 'text', 'error-json': 'error-text' });

function writeOutput(content: readonly ContentPart[], output: JsonNode): Json {
  const key = valueKey(output);
  const type = output.get('type')!.text;
  const old = output.get(key);
  if (type === 'content' && isBlocks(old)) return patch(output, { [key]: writeBlocks(content, old) });
  const value = writeValue(content, old);
  if (value === old || (value instanceof JsonNode && old?.is(value))) return output;
  const isText = typeof value === 'string' || (value instanceof JsonNode && value.isString);
  const textType = isText ? TEXT_TYPES[type] : undefined;
  return patch(output, { ...(textType === undefined ? {} : { type: textType }), [key]: value });
}

function freshResult({ callId, tool, content, isError }: ResultPart, isV4: boolean): Json {
  const named = { type: 'tool-result', toolCallId: callId ?? '', toolName: tool };
  const [first] = content;
  const isText = content.length === 0 || (content.length === 1 && first!.type === 'text');
  if (isV4) return { ...named, result: writeValue(content, undefined) ?? '', ...(isError ? { isError: true } : {}) };
  if (isText) return { ...named, output: { type: isError ? 'error-text' : 'text', value: joinTexts(content) } };
  return {
    ...named,
    output: isError
      ? { type: 'error-json', value: writeValue(content, undefined, true) }
      : { type: 'content', value: writeBlocks(content, undefined) },
  };
}
