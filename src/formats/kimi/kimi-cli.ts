/**
 * Kimi CLI's wire logs (`wire.jsonl`), a record a line. Messages of the user are `context.append_message`; what the model writes is
 * `context.append_loop_event`: a step is opened, its parts and calls and their results come one by one, it is closed. Earlier
 * versions write `{timestamp, message: {type, payload}}` with TurnBegin, ContentPart, ToolCall, ToolResult. All other lines are no
 * messages. https://github.com/MoonshotAI/kimi-code https://github.com/MoonshotAI/kimi-cli
 * (Its `context.jsonl` holds messages in the shape of OpenAI Chat, and lines of roles that begin with `_`.)
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  ThinkingPart,
  Usage,
} from '../../transcript/types.js';
import { type Description, defineFormat } from '../format.js';
import { json, jsonValue, objectsIn, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { idField, inputField, isContent, isResult, readContent, readMedia, readText } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { beforeWrite, EARLY_PARTS, EVENT, earlyOf, MESSAGE, NOTHING, onePrompt } from './kimi-cli-log.js';

/** Families of lines that hold no message; all have the time as a number. */
const RECORDS =
  /^(config|context|cron|full_compaction|goal|interaction|llm|mcp|micro_compaction|permission|plan|plan_mode|profile|prompt|runtime|swarm_mode|task|token_counting|tools|turn|usage)\.[\w.]+$/;
const ROLES = table<Role>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
});
const MEDIA = table<MediaPart['kind']>({
  image_url: 'image',
  audio_url: 'audio',
  video_url: 'file',
});

export default defineFormat({
  id: 'kimi-cli',
  traits: { piecesStandAlone: true, flagsErrors: true },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type === undefined) return earlyOf(raw) === undefined ? 0 : 1;
    if (type === 'metadata') return raw.get('protocol_version')?.isString ? 1 : 0;
    if (type === MESSAGE) return raw.get('message')?.isObject ? 1 : 0;
    if (type === EVENT) return raw.get('event')?.isObject ? 1 : 0;
    return RECORDS.test(type) && raw.get('time')?.number !== undefined ? 0.95 : 0;
  },
  read(raw) {
    const early = earlyOf(raw);
    if (early !== undefined) return { ...readEarly(early, raw.get('message')!.get('payload')!), raw };
    const type = raw.get('type')?.string;
    const system = raw.get('systemPrompt');
    if (type === 'config.update' && system?.isString)
      return { role: 'system', parts: [{ type: 'text', text: system, raw: system }], raw };
    if (type === MESSAGE) return { ...readMessage(objectAt(raw, 'message')), raw };
    return type === EVENT ? { ...readEvent(objectAt(raw, 'event')), raw } : { role: 'meta', parts: [], raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const early = earlyOf(raw);
    if (early !== undefined) return patch(raw, { message: writeEarly(early, raw.get('message')!, parts) });
    const type = raw.get('type')!.text;
    if (type === MESSAGE) return patch(raw, { message: writeMessage(raw.get('message')!, parts) });
    return type === EVENT
      ? patch(raw, { event: writeEvent(raw.get('event')!, parts) })
      : patch(raw, { systemPrompt: writeContent(parts, raw.get('systemPrompt')) });
  },
  header(line): Description {
    const model = line.get('modelAlias')?.string ?? line.get('model')?.string;
    const tools = line.get('type')?.string === 'llm.tools_snapshot' ? line.get('tools') : undefined;
    return { model, tools: tools?.isArray ? tools : undefined };
  },
  recorded(raw): Recorded | undefined {
    const payload = earlyOf(raw) === 'StatusUpdate' ? raw.get('message')!.get('payload') : undefined;
    const usage =
      raw.get('type')?.string === 'usage.record' ? usageIn(raw.get('usage')) : usageIn(payload?.get('token_usage'));
    const model = usage === undefined ? undefined : raw.get('model')?.string;
    return recordedOf({
      responseId: payload?.get('message_id')?.string,
      model,
      time: timeOf(raw.get('time') ?? raw.get('timestamp')),
      usage,
    });
  },
  afterRead: onePrompt,
  beforeWrite,
});

/** What the end of a step used; `usage.record` repeats it, and tells of compactions too, so that the step's own is not read. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  const count = (camel: string, snake: string) => tokens(usage, camel) ?? tokens(usage, snake);
  return usageFromUncached(count('inputOther', 'input_other'), count('output', 'output'), {
    cacheRead: count('inputCacheRead', 'input_cache_read'),
    cacheWrite5m: count('inputCacheCreation', 'input_cache_creation'),
  });
}

// --- reading

function readMessage(message: JsonNode): Message {
  const role = ROLES[stringIn(message.get('role'), 'message.role') ?? ''];
  if (role === undefined) return { role: 'meta', parts: [] };
  const content = readParts(message.get('content'), 'message.content');
  if (role === 'tool')
    return {
      role,
      parts: [readResult(message, 'toolCallId', content.filter(isContent), message.get('isError'), 'message.')],
    };
  const calls = objectsIn(message.get('toolCalls'), 'message.toolCalls').map((call, index) =>
    readCall(call, call.get('function') ?? call, 'arguments', `message.toolCalls[${index}].`),
  );
  return { role, parts: [...content, ...calls] };
}

function readEvent(event: JsonNode): Message {
  const type = event.get('type')?.string;
  if (type === 'content.part')
    return { role: 'assistant', parts: [readPart(objectAt(event, 'part', 'event.'), 'event.part')] };
  if (type === 'tool.call')
    return { role: 'assistant', parts: [readCall(event, event, 'args', 'event.', 'toolCallId')] };
  if (type !== 'tool.result') return { role: 'meta', parts: [] };
  const result = objectAt(event, 'result', 'event.');
  const content = readParts(result.get('output'), 'event.result.output').filter(isContent);
  return { role: 'tool', parts: [readResult(event, 'toolCallId', content, result.get('isError'), 'event.')] };
}

function readEarly(type: string, payload: JsonNode): Message {
  const path = 'message.payload';
  if (type === 'TurnBegin' || type === 'SteerInput')
    return { role: 'user', parts: readParts(payload.get('user_input'), `${path}.user_input`) };
  if (EARLY_PARTS.has(type)) return { role: 'assistant', parts: [readPart(payload, path)] };
  if (type === 'ToolCall')
    return {
      role: 'assistant',
      parts: [readCall(payload, objectAt(payload, 'function', `${path}.`), 'arguments', `${path}.`)],
    };
  if (type !== 'ToolResult') return { role: 'meta', parts: [] };
  const value = payload.get('return_value');
  const content = readParts(value?.isObject ? value.get('output') : value, `${path}.return_value`).filter(isContent);
  return { role: 'tool', parts: [readResult(payload, 'tool_call_id', content, value?.get('is_error'), `${path}.`)] };
}

function readCall(holder: JsonNode, inner: JsonNode, key: string, path: string, idKey = 'id'): CallPart {
  const callId = stringIn(holder.get(idKey), `${path}${idKey}`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(inner.get('name'), `${path}name`) ?? '',
    input: present(inner, key) ?? '{}',
    raw: holder,
  };
}

function readResult(
  holder: JsonNode,
  idKey: string,
  content: readonly ContentPart[],
  isError: JsonNode | undefined,
  path: string,
): ResultPart {
  return {
    type: 'result',
    callId: stringIn(holder.get(idKey), `${path}${idKey}`) ?? '',
    content,
    isError: isError?.boolean === true,
    raw: holder,
  };
}

function readParts(content: JsonNode | undefined, path: string): (ContentPart | ThinkingPart)[] {
  return readContent(content, path, readPart, 'a string or an array of parts');
}

function readPart(part: JsonNode, path: string): ContentPart | ThinkingPart {
  if (!part.isObject) return wrongType(part, path, 'an object');
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text') return readText('text', part, 'text', path);
  return type === 'think' ? readText('thinking', part, 'think', path) : readMedia(part, MEDIA[type]);
}

function objectAt(node: JsonNode, key: string, path = ''): JsonNode {
  const member = node.get(key);
  return member?.isObject ? member : wrongMember(member, node, `${path}${key}`, 'an object');
}

// --- writing

function writeMessage(message: JsonNode, parts: readonly Part[]): Json {
  const result = parts.find(isResult);
  if (result !== undefined)
    return patch(message, {
      ...idField('toolCallId', result),
      content: writeContent(result.content, message.get('content')),
    });
  const calls = parts.filter((part) => part.type === 'call');
  const list = message.get('toolCalls');
  const written = calls.map((call): Json => {
    const { raw } = call;
    if (!(raw instanceof JsonNode)) return freshCall(call);
    const inner = raw.get('function');
    const args = inputField('arguments', call, present(inner ?? raw, 'arguments'), json(call.input));
    return patch(raw, { ...idField('id', call), ...(inner === undefined ? args : { function: patch(inner, args) }) });
  });
  const others = parts.filter((part) => part.type !== 'call');
  return patch(message, {
    content: writeContent(others, message.get('content')),
    ...(list?.isArray ? { toolCalls: patchItems(list, written) } : {}),
  });
}

function writeEvent(event: JsonNode, parts: readonly Part[]): Json {
  const part = inOne(parts);
  const type = event.get('type')!.text;
  if (type === 'content.part') return patch(event, { part: part === undefined ? NOTHING : writePart(part) });
  if (part?.type === 'call') {
    const args = inputField('args', part, present(event, 'args'), jsonValue(part.input));
    const isSame = args['args'] === undefined || event.get('args')?.is(args['args']);
    return patch(event, {
      ...idField('toolCallId', part),
      ...args,
      ...(isSame ? {} : { description: undefined, display: undefined }),
    }); // they say the arguments again
  }
  if (part?.type !== 'result')
    return {
      type: 'content.part',
      uuid: event.get('uuid'),
      turnId: event.get('turnId'),
      step: event.get('step'),
      stepUuid: event.get('stepUuid'),
      part: NOTHING,
    };
  const result = event.get('result')!;
  return patch(event, {
    ...idField('toolCallId', part),
    result: patch(result, { output: writeContent(part.content, result.get('output')) }),
  });
}

/** What an event says: it holds one part, and so all texts as one. */
function inOne(parts: readonly Part[]): Part | undefined {
  const [first, ...others] = parts;
  if (others.length === 0 || (first?.type !== 'text' && first?.type !== 'thinking')) return first;
  const texts = parts.map((part) => (part.type === 'text' || part.type === 'thinking' ? textOf(part.text) : ''));
  return { ...first, text: texts.join('') };
}

function writeEarly(type: string, message: JsonNode, parts: readonly Part[]): Json {
  const payload = message.get('payload')!;
  const part = inOne(parts);
  if (type === 'TurnBegin' || type === 'SteerInput')
    return patch(message, { payload: patch(payload, { user_input: writeContent(parts, payload.get('user_input')) }) });
  if (EARLY_PARTS.has(type)) return patch(message, { payload: part === undefined ? NOTHING : writePart(part) });
  if (part?.type === 'call') {
    const inner = payload.get('function')!;
    return patch(message, {
      payload: patch(payload, {
        ...idField('id', part),
        function: patch(inner, inputField('arguments', part, present(inner, 'arguments'), json(part.input))),
      }),
    });
  }
  if (part?.type !== 'result') return { type: 'ContentPart', payload: NOTHING };
  const value = payload.get('return_value');
  return patch(message, {
    payload: patch(payload, { ...idField('tool_call_id', part), return_value: writeValue(part, value) }),
  });
}

/** What the user was shown may repeat the output: it goes where that was changed. */
function writeValue({ content }: ResultPart, value: JsonNode | undefined): Json | undefined {
  if (!value?.isObject) return writeContent(content, value);
  const old = value.get('output');
  const output = writeContent(content, old);
  const isSame = output === undefined || old?.is(output) === true;
  return patch(value, { output, ...(isSame || value.get('display') === undefined ? {} : { display: [] }) });
}

function writeContent(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray) return patchItems(old, parts.map(writePart));
  const [first] = parts;
  if (first === undefined) return old?.isString ? '' : old;
  return parts.every((part) => part.type === 'text')
    ? parts.length === 1 && first.type === 'text'
      ? json(first.text)
      : joinTexts(parts as ContentPart[])
    : parts.map(writePart);
}

function writePart(part: Part): Json {
  const node = part.raw instanceof JsonNode && part.raw.isObject ? part.raw : undefined;
  if (part.type === 'text')
    return node === undefined ? { type: 'text', text: json(part.text) } : patch(node, { text: json(part.text) });
  if (part.type === 'thinking')
    return node === undefined ? { type: 'think', think: json(part.text) } : patch(node, { think: json(part.text) });
  return node ?? { type: part.type };
}

function freshCall({ callId, tool, input }: CallPart): Json {
  return { type: 'function', id: callId ?? '', name: tool, arguments: json(input) };
}

function fresh({ role, parts }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined)
    return {
      type: EVENT,
      event: {
        type: 'tool.result',
        toolCallId: result.callId ?? '',
        result: { output: writeContent(result.content, undefined) ?? '', ...(result.isError ? { isError: true } : {}) },
      },
    };
  const content = parts.filter((part) => part.type !== 'call').map(writePart);
  const toolCalls = parts.filter((part) => part.type === 'call').map(freshCall);
  return { type: MESSAGE, message: { role: role === 'meta' ? 'user' : role, content, toolCalls } };
}
