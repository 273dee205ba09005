/**
 * Model messages of the Vercel AI SDK: content is text or a list of parts; calls are `tool-call` parts of the assistant, results
 * `tool-result` parts of tool messages, which the SDK joins where they stand in a row. What a provider runs by itself has both in the
 * assistant's message and passes through. https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 * Version 4 named the arguments `args` and had the bare value in `result`. A request to approve a call stands beside it and goes
 * with it, and with both the response in a tool message. https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling#tool-execution-approval
 */

import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { greatest } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { mediaUrl } from '../encode.js';
import { defineFormat, type Row } from '../format.js';
import { jsonValue, optionalString, present, stringIn, stringOf, wrongType } from '../shared/json-fields.js';
import { idField, joinedString, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';
import {
  isBlocks,
  mediaKind,
  modelIn,
  nodeOf,
  readBlock,
  readValue,
  replySays,
  saysError,
  weave,
  writeBlocks,
  writeValue,
} from './ai-sdk.js';

const ROLES = table<Role>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
});
const REQUEST = 'tool-approval-request';
const RESPONSE = 'tool-approval-response';
/** Types of outputs that hold a text, or another member than `value`. */
const ERRORS = new Set(['error-text', 'error-json', 'execution-denied']);

export default defineFormat({
  id: 'vercel-model',
  traits: { resultsShareMessage: true, flagsErrors: true },
  messagePaths: [
    '=request.system? + request.messages',
    '=body.system? + body.messages',
    '=system? + messages',
    '=instructions? + messages',
    '=system? + prompt',
    'params.prompt',
  ],
  score(raw) {
    const role = raw.get('role')?.string;
    const content = raw.get('content');
    if (role === undefined || !(role in ROLES) || content === undefined || raw.get('parts') !== undefined) return 0;
    if (
      present(raw, 'tool_calls') !== undefined ||
      raw.get('tool_call_id') !== undefined ||
      raw.get('toolInvocations') !== undefined
    )
      return -1;
    if (!content.isArray) return content.isString && role !== 'tool' ? 0.51 : -1;
    const found = content.items().map((part) => recognisesPart(part, role));
    if (found.some((sure) => sure < 0)) return -1;
    return found.length === 0 ? 0.4 : greatest(found);
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readContent(raw, 'system'), raw };
    const said = optionalString(raw, 'role') ?? wrongType(raw, 'role', 'a string');
    const role = ROLES[said];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(raw.get('content'), role);
    return role === 'tool' && parts.length === 0 && (raw.get('content')?.length ?? 0) > 0
      ? { role: 'meta', parts, raw }
      : { role, parts, raw };
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return { role, content: freshContent(message) };
    if (role === 'meta') return raw;
    if (!raw.isObject) return writeContent(parts, raw) ?? raw;
    const content = raw.get('content');
    return patch(raw, {
      content: role === 'system' && content?.isString ? joinedString(parts) : writeContent(parts, content),
    });
  },
  describe(record) {
    const around = [record, record.get('request'), record.get('body'), record.get('params')].filter(
      (node) => node !== undefined,
    );
    const tools = around.map((node) => node.get('tools')).find((found) => found?.isArray || found?.isObject);
    return {
      id: record.get('id')?.string,
      model: [...around, record.get('response')].map(modelIn).find((found) => found !== undefined),
      tools,
      reply: replySays(record),
    };
  },
  beforeWrite,
  encode: {
    messages: 'messages',
    media: (media, place) => {
      const { kind, type, base64, url } = media;
      const mediaType = type ?? (kind === 'image' ? 'image/png' : 'application/octet-stream');
      if (place === 'result')
        return base64 === undefined
          ? { type: kind === 'image' ? 'image-url' : 'file-url', url }
          : { type: 'media', data: base64, mediaType };
      if (kind === 'image' && place === 'user') return { type: 'image', image: mediaUrl(media), mediaType: type };
      return { type: 'file', data: mediaUrl(media), mediaType, filename: media.name };
    },
    canReuse(raw, kind) {
      const type = raw.get('type')?.string ?? '';
      if (kind === 'thinking') return type === 'reasoning' && raw.get('text')?.isString === true;
      if (kind === 'media') return (type === 'file' && raw.get('mediaType')?.isString === true) || type === 'image';
      return (
        kind === 'opaque' && (type === 'tool-call' || type === 'tool-result') && raw.get('toolName')?.isString === true
      );
    },
    acceptsThinking: true,
    objectArgumentsOnly: true,
    resultNeedsToolName: true,
  },
});

function recognisesPart(part: JsonNode, role: string): number {
  const type = part.get('type')?.string ?? '';
  if (type === 'tool-call' || type === 'tool-result') return part.get('toolCallId')?.isString ? 1 : -1;
  if (type === REQUEST || type === RESPONSE) return part.get('approvalId') === undefined ? -1 : 1;
  if (role === 'tool' || type === 'tool_use' || type === 'tool_result') return -1;
  if (type === 'text') return part.get('text')?.isString ? 0.51 : -1;
  if (type === 'reasoning') return part.get('text')?.isString ? 0.9 : -1;
  if (type === 'image' || type === 'file')
    return part.get('source') === undefined && part.get(type === 'image' ? 'image' : 'data') !== undefined ? 0.9 : 0;
  return 0;
}

// --- reading

function readContent(content: JsonNode | undefined, role: string): Part[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, 'content', 'a string or an array of parts');
  const items = content.items();
  return items.flatMap((part, index) => (isApproval(part) ? [] : [readPart(part, `content[${index}]`, role, items)]));
}

function readPart(part: JsonNode, path: string, role: string, items: readonly JsonNode[]): Part {
  if (!part.isObject) return wrongType(part, path, 'an object');
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning') return readText(type === 'text' ? type : 'thinking', part, 'text', path);
  if (type === 'redacted-reasoning') return { type: 'thinking', text: '', raw: part };
  if (type === 'tool-call' && !isProviders(part, items))
    return {
      type: 'call',
      callId: idOf(part, path),
      tool: optionalString(part, 'toolName') ?? '',
      input: part.get('input') ?? part.get('args') ?? '{}',
      raw: part,
    };
  if (type === 'tool-result' && role === 'tool') return readResult(part, path);
  return readMedia(part, mediaKind(part));
}

function isApproval(part: JsonNode): boolean {
  const type = part.get('type')?.string;
  return type === REQUEST || type === RESPONSE;
}

/** Whether the provider ran the call: it says so, or the result stands in the same message. */
function isProviders(call: JsonNode, items: readonly JsonNode[]): boolean {
  const id = call.get('toolCallId')?.string;
  return (
    call.get('providerExecuted')?.boolean === true ||
    items.some((part) => part.get('type')?.string === 'tool-result' && part.get('toolCallId')?.string === id)
  );
}

function readResult(part: JsonNode, path: string): ResultPart {
  const output = typedOutput(part);
  const isError =
    output === undefined
      ? part.get('isError')?.boolean === true || saysError(part.get('result'))
      : ERRORS.has(output.get('type')!.text) || saysError(output.get('value'));
  return {
    type: 'result',
    callId: idOf(part, path),
    tool: stringIn(part.get('toolName'), `${path}.toolName`),
    content: output === undefined ? readBare(part) : readOutput(output),
    isError,
    raw: part,
  };
}

/** The output as version 5 has it; undefined where the part holds the bare value. */
function typedOutput(part: JsonNode): JsonNode | undefined {
  const output = part.get('output');
  return output?.get('type')?.isString ? output : undefined;
}

function readOutput(output: JsonNode): ContentPart[] {
  const key = valueKey(output);
  const value = output.get(key);
  if (output.get('type')?.string === 'content' && isBlocks(value)) return value.items().map(readBlock);
  return readValue(value);
}

function valueKey(output: JsonNode): string {
  return output.get('type')?.string === 'execution-denied' ? 'reason' : 'value';
}

/** What a tool of version 4 makes of its result for the model stands in the result, and once more beside it. */
function readBare(part: JsonNode): ContentPart[] {
  const value = part.get(bareKey(part));
  return part.get('experimental_content') !== undefined && isBlocks(value)
    ? value.items().map(readBlock)
    : readValue(value);
}

function bareKey(part: JsonNode): string {
  return part.get('output') === undefined ? 'result' : 'output';
}

function idOf(part: JsonNode, path: string): string {
  return stringIn(part.get('toolCallId'), `${path}.toolCallId`) ?? '';
}

// --- writing

/** A text stays a text for as long as it is the only thing said. */
function writeContent(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const [first] = parts;
  if (old?.isArray) return writeParts(parts, old);
  if (first === undefined) return old?.isString ? '' : old;
  return parts.length === 1 && first.type === 'text'
    ? stringOf(first.text)
    : parts.map((part) => writePart(part, false));
}

function writeParts(parts: readonly Part[], old: JsonNode): Json {
  const isV4 = old.items().some((part) => part.get('result') !== undefined || part.get('args') !== undefined);
  const written = parts.map((part) => ({ from: part.raw, json: writePart(part, isV4) }));
  return weave(
    old,
    (item) => !isApproval(item),
    written,
    (item, index, items) => writeApproval(item, items.slice(0, index), parts),
  );
}

/** A request to approve a call goes with it, and has its id. */
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
  const key =
    ['input', 'args'].find((name) => old.get(name) !== undefined) ??
    (input === '{}' ? undefined : isV4 ? 'args' : 'input');
  return patch(old, { ...idField('toolCallId', call), ...(key === undefined ? {} : { [key]: jsonValue(input) }) });
}

function resultFields({ content }: ResultPart, old: JsonNode): JsonFields {
  const output = typedOutput(old);
  if (output !== undefined) return { output: writeOutput(content, output) };
  const key = bareKey(old);
  const value = old.get(key);
  const repeated = old.get('experimental_content');
  const result = repeated !== undefined && isBlocks(value) ? writeBlocks(content, value) : writeValue(content, value);
  return {
    [key]: result,
    ...(repeated === undefined || result === value
      ? {}
      : { experimental_content: isBlocks(value) ? result : undefined }),
  };
}

/** Of JSON that was cut, what is left is a text. */
function writeOutput(content: readonly ContentPart[], output: JsonNode): Json {
  const key = valueKey(output);
  const type = output.get('type')!.text;
  const old = output.get(key);
  if (type === 'content' && isBlocks(old)) return patch(output, { [key]: writeBlocks(content, old) });
  const value = writeValue(content, old);
  if (value === old || (value instanceof JsonNode && old?.is(value))) return output;
  const isText = typeof value === 'string' || (value instanceof JsonNode && value.isString);
  return patch(output, {
    ...(isText && type === 'json' ? { type: 'text' } : isText && type === 'error-json' ? { type: 'error-text' } : {}),
    [key]: value,
  });
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

function freshContent({ role, parts }: Message): Json {
  const [first] = parts;
  if (role === 'system' || (role !== 'tool' && first === undefined))
    return joinTexts(parts.filter((part) => part.type === 'text'));
  if (role !== 'tool' && parts.length === 1 && first!.type === 'text') return stringOf(first!.text);
  return parts.map((part) => writePart(part, false));
}

// --- lists of which something went

/** Responses go with the requests they answer. A result that was added is spelled as its neighbours are. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const isV4 = before.some((node) => itemsOf(node).some((item) => nodeOf(item)?.get('args') !== undefined));
  const asked = rows.flatMap(({ json: row }) => itemsOf(row).flatMap((item) => approvalIn(item, REQUEST) ?? []));
  const gone = new Set(
    before
      .flatMap((node) => itemsOf(node).flatMap((item) => approvalIn(item, REQUEST) ?? []))
      .filter((id) => !asked.includes(id)),
  );
  return rows.map(({ node, json: row }) => {
    if (node === undefined) return isV4 ? spelledOld(row) : row;
    const items = itemsOf(row);
    const kept = items.filter((item) => !gone.has(approvalIn(item, RESPONSE) ?? ''));
    if (kept.length === items.length) return row;
    return kept.length === 0 ? undefined : patch(node, { content: patchItems(node.get('content')!, kept) });
  });
}

function itemsOf(row: Json): readonly Json[] {
  const content =
    row instanceof JsonNode
      ? row.get('content')
      : row instanceof ObjectEdit
        ? (row.fields.get('content') ?? row.base.get('content'))
        : undefined;
  if (content instanceof JsonNode) return content.items();
  return content instanceof ArrayEdit ? content.items : [];
}

function approvalIn(item: Json, type: string): string | undefined {
  const part = nodeOf(item);
  return part?.get('type')?.string === type ? part.get('approvalId')?.string : undefined;
}

/** Version 4 holds the bare value. */
function spelledOld(row: Json): Json {
  const { role, content } = row as JsonFields;
  if (role !== 'tool') return row;
  const results = (content as readonly JsonFields[]).map(({ output, ...part }) => {
    const { type, value } = output as JsonFields;
    return { ...part, result: value, ...(String(type).startsWith('error') ? { isError: true } : {}) };
  });
  return { role, content: results };
}
