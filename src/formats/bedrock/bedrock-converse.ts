/**
 * Amazon Bedrock Converse: content is an array of blocks, each an object whose only key is its type. Calls are
 * `toolUse` blocks of the assistant; their results are `toolResult` blocks at the start of one user message. System
 * tools have call and result in one message of the assistant; both are kept as opaque parts. The system prompt is
 * outside of the message list. Reads requests, responses, pairs of both, model invocation logs, and the session files
 * of Strands Agents.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * https://docs.aws.amazon.com/nova/latest/userguide/tool-built-in.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, MediaPart, Message, Part, ResultPart, Role, Text, Traits } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { messagelessCalls } from '../shared/call-reply.js';
import { firstPresent, json, jsonValue, optionalString, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, inputField, readMedia } from '../shared/parts.js';
import { recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { encode } from './bedrock-encode.js';
import { converseUsage, replyIn } from './bedrock-usage.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });
const MEDIA = table<MediaPart['kind']>({ image: 'image', audio: 'audio', document: 'file', video: 'file' });
/** The block types. */
const BLOCK_TYPES = new Set([
  'text',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'cachePoint',
  'guardContent',
  'citationsContent',
  'searchResult',
  'json',
  ...Object.keys(MEDIA),
]);
const PATHS = callPaths({ request: ['=system?', 'messages'], response: '=output.message' });

const TRAITS: Traits = {
  resultsShareMessage: true,
  resultsLeadText: true,
  flagsErrors: true,
  callsNeedTools: true,
  rolesAlternate: true,
  userBegins: true,
};
/** Claude's thinking is enabled. */
const THINKING: Traits = { ...TRAITS, needsReasoning: true };

export default defineFormat({
  id: 'bedrock-converse',
  traits: TRAITS,
  byteHints: { toolCalls: ['"tool'] },
  messagePaths: [
    '=input.inputBodyJson.system? + input.inputBodyJson.messages > =output.outputBodyJson.output.message?',
    '=request.system? + request.messages > =response.output.message?',
    ...PATHS.pairs,
    ...PATHS.requests,
    '=system? + messages > =output.message?',
    ...PATHS.responses,
  ],
  envelope: messagelessCalls,
  score(raw) {
    const message = messageIn(raw);
    const role = message.get('role')?.string;
    const content = message.get('content');
    if (
      (role === undefined && message.get('role') !== undefined) ||
      (role !== undefined && !(role in ROLES)) ||
      !content?.isArray
    )
      return 0;
    const types = content.items().map(blockType);
    if (types.some((type) => type === undefined)) return 0;
    if (role === undefined) return message.members().length === 1 ? 0.6 : 0;
    if (types.some((type) => type !== 'text' && type !== 'image' && type !== 'json')) return 1;
    return types.length === 0 ? 0.3 : 0.9;
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readContent(raw, '', 'system'), raw };
    const message = messageIn(raw);
    const path = message === raw ? '' : 'message.';
    const content = message.get('content');
    const role = stringIn(message.get('role'), `${path}role`);
    const known = role === undefined ? 'assistant' : ROLES[role]; // only replies come without a role
    if (known === undefined || content === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(content, `${path}content`, known);
    return { role: parts.some((part) => part.type === 'result') ? 'tool' : known, parts, raw };
  },
  write(message, near) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message, near);
    if (message.role === 'meta') return raw;
    if (!raw.isObject) return writeContent(parts, raw);
    const inner = messageIn(raw);
    const written = patch(inner, { content: writeContent(parts, inner.get('content')!) });
    return inner === raw ? written : patch(raw, { message: written });
  },
  describe(record) {
    const { id: callId, request = record.get('request') ?? record.get('body') } = callIn(record) ?? {};
    const around = [record, request, record.get('input')?.get('inputBodyJson')];
    const tools = around.map((node) => node?.get('toolConfig')?.get('tools')).find((node) => node?.isArray);
    const named = around.map((node) => node?.get('modelId')?.string).find((name) => name !== undefined);
    const id = callId ?? record.get('requestId')?.string ?? record.get('id')?.string;
    const model = named?.replace(/^arn:.*\//, '');
    const thinking = firstPresent(around, 'additionalModelRequestFields')?.get('thinking')?.get('type')?.string;
    const traits = thinking === 'enabled' ? THINKING : TRAITS;
    return { id, model, traits, tools, reply: replyIn(record, model) };
  },
  recorded(raw) {
    return recordedOf({
      usage: converseUsage(messageIn(raw).get('metadata')?.get('usage')),
      time: timeOf(raw.get('created_at')),
    });
  },
  encode,
});

/**
 * The message in a file of a Strands session, or the value itself if it is not such a file.
 * https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/session-management/
 */
function messageIn(raw: JsonNode): JsonNode {
  const message = raw.get('message_id') === undefined ? undefined : raw.get('message');
  return message?.isObject ? message : raw;
}

/** The type of a block; undefined if it is not a block of this format. */
function blockType(block: JsonNode): string | undefined {
  const members = block.members();
  return members.length === 1 && BLOCK_TYPES.has(members[0]!.key.text) ? members[0]!.key.text : undefined;
}

// --- reading

function readContent(content: JsonNode, path: string, role: Role): Part[] {
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, 'an array of blocks');
  return content.items().map((block, index) => readBlock(block, `${path}[${index}]`, role));
}

function readBlock(block: JsonNode, path: string, role: Role): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const call = block.get('toolUse');
  if (call?.isObject === false) return wrongType(call, `${path}.toolUse`, 'an object');
  const result = block.get('toolResult');
  if (result?.isObject === false) return wrongType(result, `${path}.toolResult`, 'an object');
  const isServers = call?.get('type')?.string === 'server_tool_use' || (result !== undefined && role === 'assistant');
  if (isServers) return readMedia(block, undefined);
  if (call !== undefined)
    return {
      type: 'call',
      callId: stringIn(call.get('toolUseId'), `${path}.toolUse.toolUseId`) ?? '',
      tool: stringIn(call.get('name'), `${path}.toolUse.name`) ?? '',
      input: call.get('input') ?? '{}',
      raw: block,
    };
  if (result !== undefined) return readResult(result, block, `${path}.toolResult`);
  const thought = block.get('reasoningContent');
  if (thought !== undefined)
    return { type: 'thinking', text: thought.get('reasoningText')?.get('text') ?? '', raw: block };
  return readContentBlock(block, path);
}

/** Reads a text or media block. A cache point marks a position and has no text. */
function readContentBlock(block: JsonNode, path: string): ContentPart {
  const text = optionalText(block, path);
  if (text !== undefined) return { type: 'text', text, raw: block };
  if (block.get('cachePoint') !== undefined) return { type: 'text', text: '', raw: block };
  const key = Object.keys(MEDIA).find((name) => block.get(name) !== undefined);
  return readMedia(block, key === undefined ? undefined : MEDIA[key]);
}

function optionalText(block: JsonNode, path: string): JsonNode | undefined {
  const text = block.get('text');
  return text === undefined || text.isString ? text : wrongType(text, `${path}.text`, 'a string');
}

function readResult(result: JsonNode, raw: JsonNode, path: string): ResultPart {
  const content = result.get('content');
  if (content !== undefined && !content.isNull && !content.isArray)
    wrongType(content, `${path}.content`, 'an array of blocks');
  const blocks = content?.items() ?? [];
  return {
    type: 'result',
    callId: stringIn(result.get('toolUseId'), `${path}.toolUseId`) ?? '',
    content: blocks.map((block, index) => readResultBlock(block, `${path}.content[${index}]`)),
    isError: optionalString(result, 'status') === 'error',
    raw,
  };
}

/** Reads a block of a result. JSON is read as its source text; an empty object as no text. */
function readResultBlock(block: JsonNode, path: string): ContentPart {
  const value = block.get('json');
  if (value === undefined) return block.isObject ? readContentBlock(block, path) : wrongType(block, path, 'an object');
  return { type: 'text', text: value.isObject && value.members().length === 0 ? '' : value, raw: block };
}

// --- writing

/** A message that was added; in a Strands session it copies the other fields of the adjacent file. */
function freshMessage({ role, parts }: Message, near: JsonNode | undefined): Json {
  const message = { role: role === 'assistant' || role === 'system' ? role : 'user', content: parts.map(writeBlock) };
  if (near === undefined || messageIn(near) === near) return message;
  return Object.fromEntries(
    near.members().map(({ key, value }) => [key.text, key.text === 'message' ? message : value]),
  );
}

function writeContent(parts: readonly Part[], old: JsonNode): Json {
  const [first] = parts;
  if (old.isString) return parts.length === 1 && first!.type === 'text' ? json(first!.text) : parts.map(writeBlock);
  return patchItems(old, parts.map(writeBlock));
}

function writeBlock(part: Part): Json {
  const raw = part.raw instanceof JsonNode && part.raw.isObject ? part.raw : undefined;
  switch (part.type) {
    case 'text':
      return raw === undefined ? freshText(part.text) : writeText(part.text, raw);
    case 'thinking':
      return raw ?? { reasoningContent: { reasoningText: { text: json(part.text) } } };
    case 'call': {
      const old = raw?.get('toolUse');
      if (raw === undefined || old === undefined)
        return { toolUse: { toolUseId: part.callId ?? '', name: part.tool, input: jsonValue(part.input) } };
      return patch(raw, {
        toolUse: patch(old, { ...idField('toolUseId', part), ...inputField('input', part, old.get('input')) }),
      });
    }
    case 'result': {
      const old = raw?.get('toolResult');
      if (raw === undefined || old === undefined) return { toolResult: freshResult(part) };
      return patch(raw, {
        toolResult: patch(old, {
          ...idField('toolUseId', part),
          content: writeResult(part.content, old.get('content')),
        }),
      });
    }
    default:
      return raw ?? { text: '' };
  }
}

/** Writes the text of a block. Edited JSON and edited cache points become text blocks. */
function writeText(text: Text, raw: JsonNode): Json {
  if (raw.get('text') !== undefined) return patch(raw, { text: json(text) });
  const old = raw.get('json');
  if (text === '') return old === undefined || (old.isObject && old.members().length === 0) ? raw : { json: {} };
  return old?.is(text) === true ? raw : freshText(text);
}

function freshText(text: Text): Json {
  return text instanceof JsonNode && !text.isString ? { json: text } : { text: json(text) };
}

function freshResult({ callId, content, isError }: ResultPart): JsonFields {
  return {
    toolUseId: callId ?? '',
    content: writeResult(content, undefined) ?? [],
    status: isError ? 'error' : undefined,
  };
}

/** Bedrock rejects blank texts and errors without content, but accepts an empty object. */
function writeResult(content: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  const blocks = content.filter((part) => part.raw instanceof JsonNode || part.type !== 'text' || part.text !== '');
  if (blocks.length === 0 && (old === undefined || old.length > 0)) return [{ json: {} }];
  if (old?.isArray) return patchItems(old, blocks.map(writeBlock));
  return blocks.length === 0 ? old : blocks.map(writeBlock);
}
