/** Reads the lines of Kimi CLI's wire logs. */
import type { JsonNode } from '../../json/node.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  ResultPart,
  Role,
  ThinkingPart,
} from '../../transcript/types.js';
import { objectsIn, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { isContent, readContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { EARLY_PARTS } from './kimi-cli-log.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });
const MEDIA = table<MediaPart['kind']>({ image_url: 'image', audio_url: 'audio', video_url: 'file' });

/** Reads the message of a `context.append_message`. */
export function readMessage(message: JsonNode): Message {
  const role = ROLES[stringIn(message.get('role'), 'message.role') ?? ''];
  if (role === undefined) return { role: 'meta', parts: [] };
  const content = readParts(message.get('content'), 'message.content');
  if (role === 'tool')
    return {
      role,
      parts: [readResult(message, content.filter(isContent), { isError: message.get('isError'), path: 'message.' })],
    };
  const calls = objectsIn(message.get('toolCalls'), 'message.toolCalls').map((call, index) =>
    readCall(call, call.get('function') ?? call, { path: `message.toolCalls[${index}].` }),
  );
  return { role, parts: [...content, ...calls] };
}

/** Reads the event of a `context.append_loop_event`. */
export function readEvent(event: JsonNode): Message {
  const type = event.get('type')?.string;
  if (type === 'content.part')
    return { role: 'assistant', parts: [readPart(objectAt(event, 'part', 'event.'), 'event.part')] };
  if (type === 'tool.call')
    return {
      role: 'assistant',
      parts: [readCall(event, event, { idKey: 'toolCallId', argumentsKey: 'args', path: 'event.' })],
    };
  if (type !== 'tool.result') return { role: 'meta', parts: [] };
  const result = objectAt(event, 'result', 'event.');
  const content = readParts(result.get('output'), 'event.result.output').filter(isContent);
  return { role: 'tool', parts: [readResult(event, content, { isError: result.get('isError'), path: 'event.' })] };
}

/** Reads the payload of a line of an earlier version. */
export function readEarly(type: string, payload: JsonNode): Message {
  const path = 'message.payload';
  if (type === 'TurnBegin' || type === 'SteerInput')
    return { role: 'user', parts: readParts(payload.get('user_input'), `${path}.user_input`) };
  if (EARLY_PARTS.has(type)) return { role: 'assistant', parts: [readPart(payload, path)] };
  if (type === 'ToolCall')
    return {
      role: 'assistant',
      parts: [readCall(payload, objectAt(payload, 'function', `${path}.`), { path: `${path}.` })],
    };
  if (type !== 'ToolResult') return { role: 'meta', parts: [] };
  const value = payload.get('return_value');
  const content = readValue(value, `${path}.return_value`);
  const isError = value?.get('is_error');
  return {
    role: 'tool',
    parts: [readResult(payload, content, { idKey: 'tool_call_id', isError, path: `${path}.` })],
  };
}

/**
 * What Kimi CLI sends of a value: its message, which is all that errors have, before its output, unless that is empty.
 * https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py
 */
function readValue(value: JsonNode | undefined, path: string): readonly ContentPart[] {
  if (!value?.isObject) return readParts(value, path).filter(isContent);
  const message = messageOf(value);
  const output = value.get('output');
  if (message === undefined) return readParts(output, path).filter(isContent);
  const others = output?.string === '' ? [] : readParts(output, path).filter(isContent);
  return [{ type: 'text', text: message, raw: message }, ...others];
}

/** The message of a value, if it says something. */
export function messageOf(value: JsonNode): JsonNode | undefined {
  const message = value.get('message');
  return message?.string ? message : undefined;
}

/** `holder` has the id of the call; `called` its tool name and arguments. */
function readCall(
  holder: JsonNode,
  called: JsonNode,
  { path, idKey = 'id', argumentsKey = 'arguments' }: { path: string; idKey?: string; argumentsKey?: string },
): CallPart {
  const callId = stringIn(holder.get(idKey), `${path}${idKey}`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(called.get('name'), `${path}name`) ?? '',
    input: present(called, argumentsKey) ?? '{}',
    raw: holder,
  };
}

function readResult(
  holder: JsonNode,
  content: readonly ContentPart[],
  { path, isError, idKey = 'toolCallId' }: { path: string; isError: JsonNode | undefined; idKey?: string },
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

/** A member that must be an object. */
export function objectAt(node: JsonNode, key: string, path = ''): JsonNode {
  const member = node.get(key);
  return member?.isObject ? member : wrongMember(member, node, `${path}${key}`, 'an object');
}
