/**
 * Amazon Bedrock Converse: content is an array of blocks, each an object with the one member that says what it is; calls are
 * `toolUse` blocks of the assistant, results are `toolResult` blocks that lead the next user message, all of them in one; the system
 * prompt stands beside the messages. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * Requests, responses, pairs of both, the model invocation log, and the files that Strands Agents keep of a session.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type {
  ContentPart,
  MediaPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  Text,
  Usage,
} from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, jsonValue, optionalString, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, inputField, readMedia } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });
const MEDIA = table<MediaPart['kind']>({
  image: 'image',
  audio: 'audio',
  document: 'file',
  video: 'file',
});
/** The members that a block can be. */
const BLOCKS = new Set([
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
/** The formats that the API takes, by media type. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html, …_ImageBlock.html */
const FORMATS = table<string>({
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
});
/** Where the response is: behind its request, in a log, alone. */
const RESPONSES: readonly (readonly string[])[] = [['response'], ['output', 'outputBodyJson'], []];

export default defineFormat({
  id: 'bedrock-converse',
  traits: { resultsShareMessage: true, resultsLeadText: true, flagsErrors: true, callsNeedTools: true },
  byteHints: { toolCalls: ['"tool'] },
  messagePaths: [
    '=input.inputBodyJson.system? + input.inputBodyJson.messages > =output.outputBodyJson.output.message?',
    '=request.system? + request.messages > =response.output.message?',
    '=body.system? + body.messages',
    '=system? + messages > =output.message?',
    '> =output.message',
    '> =response.output.message',
  ],
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
    const kinds = content.items().map(kindOf);
    if (kinds.some((kind) => kind === undefined)) return 0;
    if (role !== undefined && kinds.some((kind) => kind !== 'text' && kind !== 'image' && kind !== 'json')) return 1;
    return role === undefined ? (message.members().length === 1 ? 0.6 : 0) : kinds.length === 0 ? 0.3 : 0.9;
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readContent(raw, ''), raw };
    const message = messageIn(raw);
    const path = message === raw ? '' : 'message.';
    const content = message.get('content');
    const role = stringIn(message.get('role'), `${path}role`);
    const known = role === undefined ? 'assistant' : ROLES[role]; // only a reply may leave its role out
    if (known === undefined || content === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(content, `${path}content`);
    return { role: parts.some((part) => part.type === 'result') ? 'tool' : known, parts, raw };
  },
  write(message, near) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message, near);
    if (message.role === 'meta') return raw;
    if (!raw.isObject) return writeContent(parts, raw);
    const inner = messageIn(raw);
    const written = patch(inner, { content: writeContent(parts, inner.get('content')!) });
    return inner === raw ? written : patch(raw, { message: written });
  },
  describe(record) {
    const around = [record, record.get('request'), record.get('body'), record.get('input')?.get('inputBodyJson')];
    const tools = around.map((node) => node?.get('toolConfig')?.get('tools')).find((node) => node?.isArray);
    const model = around.map((node) => node?.get('modelId')?.string).find((name) => name !== undefined);
    const id = record.get('requestId')?.string ?? record.get('id')?.string;
    const name = model?.replace(/^arn:.*\//, '');
    return { id, model: name, tools, reply: replyIn(record, name) };
  },
  recorded(raw) {
    return recordedOf({
      usage: converseUsage(messageIn(raw).get('metadata')?.get('usage')),
      time: timeOf(raw.get('created_at')),
    });
  },
  encode: {
    messages: 'messages',
    model: 'modelId',
    system: { key: 'system', write: (text) => [{ text }], cannotBeMessage: true },
    tools: (definitions) => ({
      toolConfig: {
        tools: definitions.map(({ name, description, parameters }) => ({
          toolSpec: { name, description, inputSchema: { json: parameters } },
        })),
      },
    }),
    media: ({ kind, type, base64, name }) => {
      const format = type === undefined ? undefined : FORMATS[type];
      if (base64 === undefined || format === undefined) return undefined;
      if (kind === 'image') return { image: { format, source: { bytes: base64 } } };
      return kind === 'file' ? { document: { format, name: name ?? 'file', source: { bytes: base64 } } } : undefined;
    },
    objectArgumentsOnly: true,
  },
});

/** The message in a file of a Strands session; what is given, where it is none. https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/session-management/ */
function messageIn(raw: JsonNode): JsonNode {
  const message = raw.get('message_id') === undefined ? undefined : raw.get('message');
  return message?.isObject ? message : raw;
}

/** The member that a block is; undefined where it is no block of this format. */
function kindOf(block: JsonNode): string | undefined {
  const members = block.members();
  return members.length === 1 && BLOCKS.has(members[0]!.key.text) ? members[0]!.key.text : undefined;
}

// --- reading

function readContent(content: JsonNode, path: string): Part[] {
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, 'an array of blocks');
  return content.items().map((block, index) => readBlock(block, `${path}[${index}]`));
}

function readBlock(block: JsonNode, path: string): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const call = block.get('toolUse');
  if (call?.isObject === false) return wrongType(call, `${path}.toolUse`, 'an object');
  if (call !== undefined)
    return {
      type: 'call',
      callId: stringIn(call.get('toolUseId'), `${path}.toolUse.toolUseId`) ?? '',
      tool: stringIn(call.get('name'), `${path}.toolUse.name`) ?? '',
      input: call.get('input') ?? '{}',
      raw: block,
    };
  const result = block.get('toolResult');
  if (result?.isObject === false) return wrongType(result, `${path}.toolResult`, 'an object');
  if (result !== undefined) return readResult(result, block, `${path}.toolResult`);
  const thought = block.get('reasoningContent');
  if (thought !== undefined)
    return { type: 'thinking', text: thought.get('reasoningText')?.get('text') ?? '', raw: block };
  return readSaid(block, path);
}

/** A cache point is a mark behind what was said, and says nothing. */
function readSaid(block: JsonNode, path: string): ContentPart {
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

/** JSON is text as it is written; an empty object says nothing. */
function readResultBlock(block: JsonNode, path: string): ContentPart {
  const value = block.get('json');
  if (value === undefined) return block.isObject ? readSaid(block, path) : wrongType(block, path, 'an object');
  return { type: 'text', text: value.isObject && value.members().length === 0 ? '' : value, raw: block };
}

// --- writing

/** In a Strands session it is filed with the message beside it. */
function fresh({ role, parts }: Message, near: JsonNode | undefined): Json {
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

/** JSON that was cut is a text, and so is what is said in the place of a mark. */
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

/** Bedrock refuses a blank text, and an error without content: an empty object is taken. */
function writeResult(content: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  const said = content.filter((part) => part.raw instanceof JsonNode || part.type !== 'text' || part.text !== '');
  if (said.length === 0 && (old === undefined || old.length > 0)) return [{ json: {} }];
  return old?.isArray ? patchItems(old, said.map(writeBlock)) : said.length === 0 ? old : said.map(writeBlock);
}

// --- what is recorded

function replyIn(record: JsonNode, model: string | undefined): Recorded | undefined {
  const usage = RESPONSES.map((path) =>
    path.reduce<JsonNode | undefined>((node, key) => node?.get(key), record)?.get('usage'),
  );
  const found = converseUsage(usage.find((node) => node !== undefined)) ?? loggedUsage(record);
  const requestId =
    record.get('requestId') ??
    record.get('ResponseMetadata')?.get('RequestId') ??
    record.get('response')?.get('ResponseMetadata')?.get('RequestId');
  return found && { usage: found, requestId: requestId?.string, model, time: timeOf(record.get('timestamp')) };
}

/** The input is only what no cache had to do with. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html */
function converseUsage(usage: JsonNode | undefined): Usage | undefined {
  return usageIn(usage, usage, ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens']);
}

/** A log repeats the figures beside the bodies, and has them alone where the bodies are not logged. */
function loggedUsage(record: JsonNode): Usage | undefined {
  return usageIn(record.get('input'), record.get('output'), [
    'inputTokenCount',
    'outputTokenCount',
    'cacheReadInputTokenCount',
    'cacheWriteInputTokenCount',
  ]);
}

function usageIn(
  given: JsonNode | undefined,
  made: JsonNode | undefined,
  [input, output, read, write]: readonly [string, string, string, string],
): Usage | undefined {
  if (tokens(given, input) === undefined && tokens(made, output) === undefined) return undefined;
  const hour = given
    ?.get('cacheDetails')
    ?.items()
    .find((detail) => detail.get('ttl')?.string === '1h');
  const written = tokens(given, write) ?? 0;
  const cacheWrite1h = Math.min(written, tokens(hour, 'inputTokens') ?? 0);
  return usageOf({
    input: tokens(given, input) ?? 0,
    cacheRead: tokens(given, read) ?? 0,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: tokens(made, output) ?? 0,
  });
}
