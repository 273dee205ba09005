/**
 * OpenAI Chat Completions and everything written in its shape: request bodies, fine-tuning JSONL, bare message lists,
 * tau-bench and SWE-agent trajectories. Calls stand in `tool_calls` with JSON text as arguments, each result is a message
 * of role `tool`. https://platform.openai.com/docs/api-reference/chat/create
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  Message,
  OpaquePart,
  Part,
  Recorded,
  ResultPart,
  Role,
  ThinkingPart,
} from '../../transcript/types.js';
import { isCoheres } from '../cohere/cohere-detect.js';
import { mediaUrl } from '../encode.js';
import { type Description, defineFormat } from '../format.js';
import { json, jsonValue, objectsIn, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { isBareText, isCall, isContent, isResult, readContent, readMedia, writeContent } from '../shared/parts.js';
import { chatUsage, costField, recordedOf, responseInfo, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
});
const MEDIA = table<'image' | 'audio' | 'file'>({
  image_url: 'image',
  image: 'image',
  input_audio: 'audio',
  file: 'file',
  document_url: 'file',
});
/** Where reasoning stands beside the content: DeepSeek's name, vLLM's and Groq's. */
const REASONING = ['reasoning_content', 'reasoning'];
const MESSAGE_KEYS = new Keys([
  'role',
  'content',
  'name',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'refusal',
  ...REASONING,
]);
const CLUE_KEYS = new Keys([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'parts',
  'toolInvocations',
  'tool_plan',
  'citations',
]);
const CALL_KEYS = new Keys(['id', 'function', 'custom']);
const FUNCTION_KEYS = new Keys(['name', 'arguments', 'input']);
const ROLE_NAMES = new Keys(Object.keys(ROLES));
const ROLE_OF = Object.values(ROLES);
const LEGACY_RESULT = ROLE_NAMES.names.indexOf('function');
const RECORD_KEYS = new Keys([
  'model',
  'tools',
  'request',
  'response',
  'item',
  'usage',
  'info',
  'id',
  'task_id',
  'custom_id',
  'instance_id',
  'run_id',
]);
const FIRST_ID = RECORD_KEYS.names.indexOf('id');
/** Content blocks of other shapes (Anthropic, Responses, Vercel, …): a message with them is none of ours. */
const FOREIGN_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'tool_call',
  'toolCall',
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'input_text',
  'output_text',
  'function_call',
]);

export default defineFormat({
  id: 'openai-chat',
  traits: {},
  byteHints: { toolCalls: ['"tool', '"func'] },
  messagePaths: [
    'request.messages > response.choices[0].message',
    'item.messages > sample.outputs',
    'messages',
    'traj',
    'history',
    'conversation',
    'request.messages',
    'body.messages',
    'data.messages',
    'input.messages',
    'item.messages',
    'runs[].messages',
    'data[].messages',
  ],
  score(raw) {
    const found = raw.find(CLUE_KEYS);
    const role = raw.nameAt(found[0]!, ROLE_NAMES);
    if (raw.stringAt(found[0]!) === undefined) return found[0]! < 0 ? 0 : 0.1;
    if (found[4]! >= 0) return 0;
    const [content, calls] = [raw.nodeAt(found[1]!), raw.nodeAt(found[2]!)];
    if (content?.isArray && content.items().some((item) => FOREIGN_BLOCKS.has(item.get('type')?.string ?? '')))
      return -1;
    if (isCoheres(raw.nodeAt(found[6]!), raw.nodeAt(found[7]!), content)) return -1;
    if (found[5]! >= 0 || calls?.items()[0]?.get('name') !== undefined) return -1;
    if (role < 0) return content === undefined ? 0 : 0.3;
    if (ROLE_OF[role] === 'tool') return 0.9;
    if (raw.isAt(found[2]!) || raw.isAt(found[3]!)) return 0.95;
    return content === undefined ? 0.2 : 0.6;
  },
  read(raw) {
    const found = raw.find(MESSAGE_KEYS);
    const role = raw.nameAt(found[0]!, ROLE_NAMES);
    const known = ROLE_OF[role];
    if (known === undefined)
      return raw.stringAt(found[0]!) === undefined
        ? wrongMember(raw.nodeAt(found[0]!), raw, 'role', 'a string')
        : { role: 'meta', parts: [], raw };
    const name = found[2]! < 0 ? undefined : stringIn(raw.nodeAt(found[2]!), 'name');
    let parts: Part[] = readContent(raw.nodeAt(found[1]!), 'content', readBlock, 'a string, null or an array of parts');
    if (known === 'tool')
      return {
        role: known,
        parts: [readResult(raw, role === LEGACY_RESULT, found[5]!, name, parts as ContentPart[])],
        raw,
      };
    if (known === 'assistant') {
      if (found[6]! >= 0) readRefusal(raw.nodeAt(found[6]!)!, parts);
      if (raw.isAt(found[3]!) || raw.isAt(found[4]!))
        parts = [...parts, ...readCalls(raw.nodeAt(found[3]!), raw.nodeAt(found[4]!))];
      if (found[7]! >= 0) readThinking(raw.nodeAt(found[7]!)!, parts);
      if (found[8]! >= 0) readThinking(raw.nodeAt(found[8]!)!, parts);
    }
    const calls = raw.nodeAt(found[3]!);
    if (calls?.isArray && calls.length === 0) return { role: known, parts, name, emptyCalls: true, raw };
    return { role: known, parts, name, raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const result = message.parts.find(isResult);
    if (result !== undefined)
      return patch(raw, { ...resultId(result), content: writeBlocks(result.content, raw.get('content')) });
    const gone = (key: string) => !message.parts.some((part) => isField(part, raw, key));
    const fields: Record<string, Json | undefined> = {
      content: writeBlocks(message.parts.filter(isInContent), raw.get('content')),
    };
    for (const key of REASONING)
      if (raw.get(key)?.isString && raw.get(key)!.byteLength > 0 && gone(key)) fields[key] = undefined;
    return patch(raw, { ...fields, ...writeCalls(message.parts.filter(isCall), raw, message.emptyCalls) });
  },
  describe(record): Description {
    const found = record.find(RECORD_KEYS);
    const [model, tools, request, response, item, usage, info] = found;
    const among = (own: number, key: string) =>
      record.nodeAt(own) ??
      record.nodeAt(request!)?.get(key) ??
      record.nodeAt(response!)?.get(key) ??
      record.nodeAt(item!)?.get(key);
    let id: JsonNode | undefined;
    for (let at = FIRST_ID; at < found.length && !isName(id); at++) id = record.nodeAt(found[at]!);
    const definitions = among(tools!, 'tools');
    return {
      id: isName(id) ? id.text : undefined,
      model: among(model!, 'model')?.string,
      tools: definitions?.isArray ? definitions : undefined,
      reply: Math.max(response!, usage!, info!) < 0 ? undefined : replyIn(record),
    };
  },
  encode: {
    messages: 'messages',
    model: 'model',
    tools: (definitions) => ({
      tools: definitions.map((definition) => ({ type: 'function', function: { ...definition } })),
    }),
    media: (media) => {
      if (media.kind === 'image') return { type: 'image_url', image_url: { url: mediaUrl(media) } };
      if (media.base64 === undefined) return undefined;
      if (media.kind === 'audio') return audioBlock(media.base64, media.type ?? 'audio/wav');
      return { type: 'file', file: { filename: media.name ?? 'file', file_data: mediaUrl(media) } };
    },
    acceptsThinking: true,
    acceptsNames: true,
    mediaOnlyFromUser: true,
    resultHasNoToolName: true,
    canReuse: (raw, kind) =>
      kind === 'thinking' || (kind === 'media' && isTakenMedia(raw)) || (kind === 'opaque' && isRefusal(raw)),
  },
  recorded(raw) {
    const extra = raw.get('extra'); // mini-swe-agent's
    const response = extra?.get('response') ?? raw.get('raw_data');
    const found = responseInfo(response, chatUsage(response?.get('usage') ?? raw.get('usage')));
    return recordedOf({
      ...found,
      time: timeOf(raw.get('timestamp') ?? extra?.get('timestamp')) ?? found?.time,
      cost: costField(extra, 'cost') ?? costField(raw, 'cost'),
    });
  },
});

/** Whether a member can be the name of a record. */
function isName(node: JsonNode | undefined): node is JsonNode {
  return node !== undefined && !node.isNull && !node.isObject && !node.isArray;
}

/** Of a request with its response (plain, or as a line of a batch's output), of a call log; SWE-agent counts all its requests together. */
function replyIn(record: JsonNode): Recorded | undefined {
  const response = record.get('response')?.get('body') ?? record.get('response') ?? record;
  const reply = responseInfo(response, chatUsage(response.get('usage')));
  if (reply !== undefined) return { ...reply, cost: costField(record, 'cost') };
  const all = record.get('info')?.get('model_stats');
  const [sent, received] = [tokens(all, 'tokens_sent'), tokens(all, 'tokens_received')];
  const running = sent || received ? usageOf({ input: sent ?? 0, output: received ?? 0 }) : undefined;
  return recordedOf({ running, runningCost: costField(all, 'instance_cost') });
}

// --- reading

function readBlock(item: JsonNode, path: string): ContentPart {
  if (item.isString) return { type: 'text', text: item, raw: item };
  if (!item.isObject) return wrongType(item, path, 'an object');
  const type = item.get('type')?.string;
  if (type === 'text') {
    const text = item.get('text') ?? item.get('value');
    return text?.isString ? { type: 'text', text, raw: item } : wrongMember(text, item, `${path}.text`, 'a string');
  }
  return readMedia(item, type === undefined ? undefined : MEDIA[type]);
}

/** Reasoning goes before what was said. */
function readThinking(text: JsonNode, parts: Part[]): void {
  if (text.isString && text.byteLength > 0) parts.unshift({ type: 'thinking', text, raw: text });
}

function readRefusal(text: JsonNode, parts: Part[]): void {
  if (text.isString && text.byteLength > 0) parts.push({ type: 'opaque', text, raw: text });
}

function readCalls(calls: JsonNode | undefined, legacy: JsonNode | undefined): CallPart[] {
  const listed = objectsIn(calls, 'tool_calls').map(readCall);
  if (legacy === undefined || legacy.isNull) return listed;
  if (!legacy.isObject) wrongType(legacy, 'function_call', 'an object');
  const described = legacy.find(FUNCTION_KEYS);
  const tool = stringIn(legacy.nodeAt(described[0]!), 'function_call.name') ?? '';
  return [
    ...listed,
    { type: 'call', callId: undefined, tool, input: inputOf(legacy, described), legacy: true, raw: legacy },
  ];
}

function readCall(call: JsonNode, index: number): CallPart {
  const found = call.find(CALL_KEYS);
  const called = call.nodeAt(found[1]!);
  const target = called?.isObject ? called : call.nodeAt(found[2]!);
  const callId = call.stringAt(found[0]!) ?? stringInCall(call.nodeAt(found[0]!), index, 'id') ?? '';
  if (target === undefined || !target.isObject)
    return wrongMember(called, call, `tool_calls[${index}].function`, 'an object');
  const described = target.find(FUNCTION_KEYS);
  const tool =
    target.stringAt(described[0]!) ?? stringInCall(target.nodeAt(described[0]!), index, 'function.name') ?? '';
  return { type: 'call', callId, tool, input: inputOf(target, described), raw: call };
}

function stringInCall(member: JsonNode | undefined, index: number, path: string): string | undefined {
  return member === undefined || member.isString || member.isNull
    ? stringIn(member, path)
    : wrongType(member, `tool_calls[${index}].${path}`, 'a string');
}

/** A custom tool's `input` is what a function's `arguments` are. */
function inputOf(called: JsonNode, described: Int32Array): JsonNode | string {
  const at = described[1]! >= 0 ? described[1]! : described[2]!;
  return called.isAt(at) ? called.nodeAt(at)! : '';
}

function readResult(
  raw: JsonNode,
  legacy: boolean,
  idAt: number,
  tool: string | undefined,
  content: readonly ContentPart[],
): ResultPart {
  if (legacy) return { type: 'result', callId: undefined, tool, content, legacy, raw };
  // SWE-agent writes the ids as a list of one.
  const callId =
    raw.stringAt(idAt) ??
    stringIn(raw.nodeAt(idAt), 'tool_call_id') ??
    raw.get('tool_call_ids')?.items()[0]?.string ??
    '';
  return { type: 'result', callId, tool, content, raw };
}

// --- writing

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, (part) =>
    isBareText(part, old)
      ? json(part.text)
      : old?.isArray && part.raw instanceof JsonNode && part.raw.isObject
        ? writeBlock(part, part.raw)
        : freshBlock(part),
  );
}

function writeBlock(part: ContentPart, raw: JsonNode): Json {
  if (part.type !== 'text') return raw;
  return patch(raw, { [raw.get('text') === undefined ? 'value' : 'text']: json(part.text) });
}

function freshBlock(part: ContentPart): Json {
  return part.type === 'text'
    ? { type: 'text', text: json(part.text) }
    : part.raw instanceof JsonNode
      ? part.raw
      : { type: part.type };
}

function writeCalls(calls: readonly CallPart[], raw: JsonNode, mayBeEmpty = true): JsonFields {
  const list = present(raw, 'tool_calls');
  const legacy = calls.find((call) => call.legacy);
  const items = calls
    .filter((call) => !call.legacy)
    .map((call) => (call.raw instanceof JsonNode ? writeCall(call, call.raw) : freshCall(call)));
  const fields: Record<string, Json | undefined> = {};
  if (list !== undefined)
    fields['tool_calls'] = items.length === 0 && (list.length > 0 || !mayBeEmpty) ? undefined : patchItems(list, items);
  else if (items.length > 0) fields['tool_calls'] = items;
  const called = present(raw, 'function_call');
  if (called !== undefined)
    fields['function_call'] = legacy === undefined ? undefined : writeFunction(legacy, called, 'arguments');
  return fields;
}

function writeCall(call: CallPart, raw: JsonNode): Json {
  const custom = raw.get('custom');
  const key = custom === undefined ? 'function' : 'custom';
  const id = call.callId === '' ? {} : { id: call.callId };
  return patch(raw, { ...id, [key]: writeFunction(call, raw.get(key)!, key === 'custom' ? 'input' : 'arguments') });
}

/** What is called, with the arguments as a string or as the value they were. */
function writeFunction(call: CallPart, called: JsonNode, input: string): Json {
  const old = called.get(input);
  if (call.input === '' && (old === undefined || old.isNull)) return called;
  return patch(called, { [input]: old?.isString === false && !old.isNull ? jsonValue(call.input) : json(call.input) });
}

function freshCall(call: CallPart): Json {
  return { id: call.callId ?? '', type: 'function', function: { name: call.tool, arguments: json(call.input) } };
}

function resultId(result: ResultPart): JsonFields {
  const raw = result.raw;
  if (!(raw instanceof JsonNode) || result.callId === undefined || result.callId === '') return {};
  const ids = raw.get('tool_call_ids');
  if (present(raw, 'tool_call_id') === undefined && ids?.isArray)
    return ids.items()[0]?.string === result.callId
      ? {}
      : { tool_call_ids: patchItems(ids, [result.callId, ...ids.items().slice(1)]) };
  return { tool_call_id: result.callId };
}

function fresh(message: Message): Json {
  const { role, parts, name } = message;
  const result = parts.find(isResult);
  if (result !== undefined) {
    const content = writeBlocks(result.content, undefined) ?? '';
    if (result.legacy || result.callId === undefined) return { role: 'function', name: result.tool ?? '', content };
    return { role: 'tool', tool_call_id: result.callId, name: result.tool, content };
  }
  const calls = parts.filter(isCall);
  const listed = calls.filter((call) => !call.legacy);
  const legacy = calls.find((call) => call.legacy);
  return {
    role: role === 'meta' ? 'user' : role,
    name,
    reasoning_content: joined(parts.filter((part) => part.type === 'thinking')),
    content: writeBlocks(parts.filter(isInContent), undefined) ?? (role === 'assistant' ? null : ''),
    refusal: joined(parts.filter((part): part is OpaquePart => part.type === 'opaque' && !isInContent(part))),
    tool_calls: listed.length === 0 ? undefined : listed.map(freshCall),
    function_call: legacy && { name: legacy.tool, arguments: json(legacy.input) },
  };
}

function joined(parts: readonly (ThinkingPart | OpaquePart)[]): string | undefined {
  return parts.length === 0 ? undefined : parts.map(({ text }) => textOf(text ?? '')).join('\n');
}

/** The sounds that the API takes, by media type. https://platform.openai.com/docs/api-reference/chat/create */
const SOUNDS = table<string>({
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
});

function audioBlock(data: string, type: string): Json | undefined {
  const format = SOUNDS[type];
  return format === undefined ? undefined : { type: 'input_audio', input_audio: { data, format } };
}

/** A block of the API's own, not of a server that is like it. */
function isTakenMedia(raw: JsonNode): boolean {
  const format = raw.get('input_audio')?.get('format')?.string;
  if (raw.get('type')?.string === 'input_audio') return format === 'wav' || format === 'mp3';
  return raw.get('image_url')?.get('url')?.isString === true || raw.get('file')?.isObject === true;
}

/** As a member of the message, or as a part of its content. */
function isRefusal(raw: JsonNode): boolean {
  return raw.isString || raw.get('type')?.string === 'refusal';
}

/** The parts that stand in `content`: not a refusal or reasoning, which stand beside it. */
function isInContent(part: Part): part is ContentPart {
  return isContent(part) && !(part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isString);
}

function isField(part: Part, raw: JsonNode, key: string): boolean {
  return part.type === 'thinking' && raw.get(key)?.is(part.raw) === true;
}
