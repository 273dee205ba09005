/**
 * Ollama's own chat API (`/api/chat`): requests, responses, and both in a log. Arguments of calls are objects, pictures
 * are base64 beside the content, and a result names its tool. Calls have ids since version 0.12.10 only: without them,
 * results answer the calls in their order.
 * https://docs.ollama.com/api/chat https://github.com/ollama/ollama/blob/main/docs/openapi.yaml (2026-11)
 * https://github.com/ollama/ollama/pull/12956
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, longest, textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, Recorded, ResultPart, Role } from '../../transcript/types.js';
import { LONGEST_NAME, NOT_IN_NAMES } from '../encode.js';
import { defineFormat } from '../format.js';
import { readImages, writeImages } from '../openai/openai-chat-images.js';
import { readBlock } from '../openai/openai-chat-read.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { callReply } from '../shared/call-reply.js';
import { firstPresent, json, jsonValue, objectsIn, present, stringIn, wrongMember } from '../shared/json-fields.js';
import { idField, inputField, isCall, isContent, isResult, readContent, writeContent } from '../shared/parts.js';
import { responseInfo, tokens, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { OLLAMA_PARAMETERS } from './ollama-parameters.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });
/** The scores of a message that only this API has, and of one without anything specific to it. */
const OWN_MESSAGE = 0.97;
const PLAIN_MESSAGE = 0.55;
/** The score of one that the API refuses: a user has to name the format. */
const REFUSED_MESSAGE = 0.1;
/** Members of a request that no other chat API has. */
const OWN_MEMBERS = ['options', 'keep_alive', 'think'];

const PATHS = callPaths({ request: ['messages'], response: '=message' });
/** A response alone is the message: pieces of a stream, whose `done` is false, are none. */
const RESPONSES = PATHS.responses.filter((path) => path !== '> =message');

export default defineFormat({
  id: 'ollama-chat',
  traits: {},
  byteHints: { toolCalls: ['"tool'] },
  messagePaths: [...PATHS.pairs, 'messages', ...PATHS.requests, ...RESPONSES],
  score(raw) {
    const role = raw.get('role')?.string ?? '';
    if (!(role in ROLES) || raw.get('parts') !== undefined) return 0;
    if (raw.get('content')?.isArray) return REFUSED_MESSAGE;
    if (role === 'tool' && raw.get('tool_name') !== undefined) return OWN_MESSAGE;
    const [call] = raw.get('tool_calls')?.items(1) ?? [];
    if (call === undefined) return raw.get('content') === undefined ? REFUSED_MESSAGE : PLAIN_MESSAGE;
    if (call.get('function')?.isObject !== true) return -1;
    if (call.get('function')?.get('arguments')?.isObject !== true) return REFUSED_MESSAGE;
    return call.get('type') === undefined ? OWN_MESSAGE : PLAIN_MESSAGE;
  },
  isResponse: isReply,
  claimsRecord(record) {
    const { request = record, response = record } = callIn(record) ?? {};
    return isReply(response) || (request.get('messages')?.isArray === true && hasOwnMember(request));
  },
  read(raw) {
    if (isReply(raw)) return { ...readMessage(raw.get('message')!), raw };
    return readMessage(raw);
  },
  write({ role, parts, raw }, near) {
    if (!(raw instanceof JsonNode)) {
      const message = freshMessage(role, parts);
      return near !== undefined && isReply(near) ? patch(near, { message }) : message;
    }
    if (role === 'meta') return raw;
    return isReply(raw)
      ? patch(raw, { message: editedMessage(parts, raw.get('message')!) })
      : editedMessage(parts, raw);
  },
  recorded: recordedIn,
  describe(record) {
    const call = callIn(record);
    const around = [record, call?.request, call?.response];
    const tools = firstPresent(around, 'tools');
    const window = tokens(firstPresent(around, 'options'), 'num_ctx');
    return {
      id: call?.id,
      model: firstPresent(around, 'model')?.string,
      tools: tools?.isArray ? tools : undefined,
      ...(window ? { contextWindow: window } : {}),
      reply: callReply(record, recordedIn),
    };
  },
  encode: {
    messages: 'messages',
    model: 'model',
    parameters: OLLAMA_PARAMETERS,
    tools: (definitions, entries) => ({
      tools: [...definitions.map((definition) => ({ type: 'function', function: { ...definition } })), ...entries],
    }),
    media: ({ kind, base64 }) => (kind === 'image' ? base64 : undefined),
    mediaFrom: ['user', 'tool'],
    joinsTexts: ['system', 'user', 'result'],
    acceptsThinking: true,
    objectArgumentsOnly: true,
    resultNeedsToolName: true,
    acceptsNames: false,
    notInNames: NOT_IN_NAMES,
    longestName: LONGEST_NAME,
    canReuse: (raw, kind) => raw.isString && (kind === 'thinking' || kind === 'media'),
  },
});

/** Whether a value is the body of a whole response. */
function isReply(value: JsonNode): boolean {
  return value.get('message')?.isObject === true && value.get('done')?.boolean === true;
}

function hasOwnMember(request: JsonNode): boolean {
  return OWN_MEMBERS.some((key) => request.get(key) !== undefined);
}

/** What a response records of its request; neither count is there where nothing had to be computed. */
function recordedIn(response: JsonNode): Recorded | undefined {
  if (!isReply(response)) return undefined;
  const usage = usageFromTotals(tokens(response, 'prompt_eval_count'), tokens(response, 'eval_count'));
  return responseInfo(response, usage, undefined);
}

// --- reading

function readMessage(raw: JsonNode): Message {
  const role = ROLES[stringIn(raw.get('role'), 'role') ?? ''];
  if (role === undefined) return { role: 'meta', parts: [], raw };
  const content = readContent(raw.get('content'), 'content', readBlock);
  const images = raw.get('images');
  const shown: ContentPart[] = images === undefined ? content : [...content, ...readImages(images)];
  if (role === 'tool') return { role, parts: [readResult(raw, shown)], raw };
  const thinking = present(raw, 'thinking');
  const thoughts: Part[] =
    thinking?.isString && thinking.byteLength > 0 ? [{ type: 'thinking', text: thinking, raw: thinking }] : [];
  return { role, parts: [...thoughts, ...shown, ...objectsIn(raw.get('tool_calls'), 'tool_calls').map(readCall)], raw };
}

function readCall(call: JsonNode, index: number): CallPart {
  const path = `tool_calls[${index}]`;
  const called = call.get('function');
  if (!called?.isObject) return wrongMember(called, call, `${path}.function`, 'an object');
  return {
    type: 'call',
    callId: stringIn(call.get('id'), `${path}.id`) || undefined,
    tool: stringIn(called.get('name'), `${path}.function.name`) ?? '',
    input: present(called, 'arguments') ?? '{}',
    raw: call,
  };
}

function readResult(raw: JsonNode, content: readonly ContentPart[]): ResultPart {
  const tool = stringIn(raw.get('tool_name'), 'tool_name') ?? stringIn(raw.get('name'), 'name');
  return { type: 'result', callId: stringIn(raw.get('tool_call_id'), 'tool_call_id') || undefined, tool, content, raw };
}

// --- writing

function editedMessage(parts: readonly Part[], raw: JsonNode): Json {
  const result = parts.find(isResult);
  if (result !== undefined) return patch(raw, { ...idField('tool_call_id', result), ...written(result.content, raw) });
  const calls = parts.filter(isCall).map(writeCall);
  const list = present(raw, 'tool_calls');
  const thinking = present(raw, 'thinking');
  return patch(raw, {
    ...written(parts.filter(isContent), raw),
    ...(thinking === undefined ? {} : { thinking: thought(parts) ?? (thinking.byteLength > 2 ? undefined : thinking) }),
    ...(list === undefined
      ? calls.length > 0 && { tool_calls: calls }
      : { tool_calls: calls.length === 0 && list.length > 0 ? undefined : patchItems(list, calls) }),
  });
}

/** The content, and the pictures beside it. */
function written(parts: readonly ContentPart[], raw: JsonNode): JsonFields {
  const images = raw.get('images');
  const isBeside = (part: Part) => part.raw instanceof JsonNode && images?.encloses(part.raw) === true;
  const content = parts.filter((part) => !isBeside(part));
  return {
    content: writeContent(content, raw.get('content'), writeBlock),
    ...(images === undefined ? {} : writeImages(parts, images)),
  };
}

function writeBlock(part: ContentPart): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { type: part.type };
  if (!(raw instanceof JsonNode)) return { type: 'text', text: json(part.text) };
  return raw.isString ? json(part.text) : patch(raw, { text: json(part.text) });
}

function writeCall(call: CallPart): Json {
  const { raw, tool, input } = call;
  const called = raw instanceof JsonNode ? raw.get('function') : undefined;
  if (called === undefined) return { ...idField('id', call), function: { name: tool, arguments: jsonValue(input) } };
  return patch(raw as JsonNode, {
    ...idField('id', call),
    function: patch(called, inputField('arguments', call, present(called, 'arguments'))),
  });
}

function freshMessage(role: Role, parts: readonly Part[]): Json {
  const result = parts.find(isResult);
  if (result !== undefined)
    return { role: 'tool', tool_name: result.tool ?? '', ...idField('tool_call_id', result), ...fresh(result.content) };
  const calls = parts.filter(isCall);
  return {
    role: role === 'meta' ? 'user' : role,
    ...fresh(parts.filter(isContent)),
    thinking: thought(parts),
    tool_calls: calls.length === 0 ? undefined : calls.map(writeCall),
  };
}

function fresh(parts: readonly ContentPart[]): JsonFields {
  const images = parts.flatMap(({ type, raw }) => (type === 'media' && isText(raw) ? [raw] : []));
  return { content: joinTexts(parts), images: images.length === 0 ? undefined : images };
}

function isText(raw: unknown): raw is JsonNode | string {
  return typeof raw === 'string' || (raw instanceof JsonNode && raw.isString);
}

/** The thoughts; undefined if there are none with a text. */
function thought(parts: readonly Part[]): Json | undefined {
  const thoughts = parts.flatMap((part) => (part.type === 'thinking' && longest(part.text) > 0 ? [part.text] : []));
  return thoughts.length < 2 ? thoughts.map(json)[0] : thoughts.map(textOf).join('\n');
}
