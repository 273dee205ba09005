/**
 * Messages of OpenTelemetry's GenAI semantic conventions: `{role, parts}`, where a part has a `type` and mostly a
 * `content`. A call is a `tool_call` part. A result is a `tool_call_response` part of a message with role `tool` (or
 * `user`); its value is in `response`, or in `result` in early versions. A model's message has a `finish_reason`.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-input-messages.json
 */

import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList, greatest } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, MediaPart, Part, ResultPart, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import {
  firstPresent,
  json,
  jsonValue,
  objectsIn,
  optionalString,
  present,
  stringIn,
  wrongType,
} from '../shared/json-fields.js';
import { idField, isCall, isResult, readMedia } from '../shared/parts.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
});
const THINKING_TYPES = new Set(['reasoning', 'thinking']);
const MEDIA = /^(?:blob|file|uri|binary)$|image|audio|document/;
/** Members that may hold a result's value. */
const VALUE_KEYS = ['response', 'result'];
const OWN_PARTS = new Set([
  'tool_call',
  'tool_call_response',
  'blob',
  'uri',
  'server_tool_call',
  'server_tool_call_response',
  ...THINKING_TYPES,
]);

export default defineFormat({
  id: 'otel-genai',
  traits: { resultsShareMessage: true },
  messagePaths: commaList(`
    =system_instructions? + input_messages > output_messages, =system_instructions? + input_messages,
    > output_messages, input.messages > output.messages, messages, all_messages
  `),
  score(raw) {
    const role = raw.get('role')?.string;
    const parts = raw.get('parts');
    if (role === undefined || !(role in ROLES) || !parts?.isArray) return 0;
    const scores = parts.items().map(scorePart);
    if (scores.length === 0) return 0.3;
    return scores.some((score) => score < 0) ? -1 : greatest(scores);
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readInstructions(raw), raw };
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = objectsIn(raw.get('parts'), 'parts').map((part, index) => readPart(part, `parts[${index}]`));
    const isTool = parts.some(isResult) && !parts.some(isCall);
    return { role: isTool ? 'tool' : role, parts, name: optionalString(raw, 'name'), raw };
  },
  write(message) {
    const { raw, parts, role, name } = message;
    if (!(raw instanceof JsonNode)) return { role: role === 'meta' ? 'user' : role, name, parts: parts.map(writePart) };
    if (role === 'meta') return raw;
    if (raw.isString) {
      const text = joinTexts(parts as readonly ContentPart[]);
      return text === raw.text ? raw : text;
    }
    const list = raw.isObject ? present(raw, 'parts') : raw;
    const written = parts.map(writePart);
    if (list === raw) return patchItems(raw, written);
    return list === undefined && written.length === 0
      ? raw
      : patch(raw, { parts: list === undefined ? written : patchItems(list, written) });
  },
  describe(record) {
    const model = ['model', 'gen_ai.response.model', 'gen_ai.request.model']
      .map((key) => record.get(key))
      .find((node) => node?.isString);
    const tools = record.get('tool_definitions') ?? record.get('tools');
    return { id: record.get('id')?.string, model: model?.text, tools: tools?.isArray ? tools : undefined };
  },
});

/** A part without `type` is Gemini's, one with all in `data` Crush's; a text in `text` is the AI SDK's. */
function scorePart(part: JsonNode): number {
  const type = part.get('type')?.string;
  if (type === undefined || part.get('data')?.isObject) return -1;
  const isNameless = type === 'tool_call' && present(part, 'name') === undefined;
  if ((OWN_PARTS.has(type) && !isNameless) || (type === 'text' && part.get('content') !== undefined)) return 1;
  return type === 'text' && part.get('text') !== undefined ? -1 : 0.4;
}

// --- reading

/** System instructions that are beside the messages: a text, or a list of parts. */
function readInstructions(raw: JsonNode): Part[] {
  return raw.isArray
    ? raw.items().map((part, index) => readPart(part, `system_instructions[${index}]`))
    : [{ type: 'text', text: raw, raw }];
}

function readPart(part: JsonNode, path: string): Part {
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || THINKING_TYPES.has(type)) return readText(part, type === 'text' ? 'text' : 'thinking', path);
  if (type === 'tool_call')
    return {
      type: 'call',
      callId: idOf(part, path),
      tool: stringIn(part.get('name'), `${path}.name`) ?? '',
      input: present(part, 'arguments') ?? '',
      raw: part,
    };
  if (type === 'tool_call_response') return readResult(part, path);
  return readMedia(part, MEDIA.test(type) ? mediaKindOf(part) : undefined);
}

/** A part without content, if the content was not recorded, is an empty text. */
function readText(part: JsonNode, type: 'text' | 'thinking', path: string): Part {
  const content = present(part, 'content');
  if (content !== undefined && !content.isString)
    return type === 'text'
      ? wrongType(content, `${path}.content`, 'a string')
      : { type: 'opaque', text: part, raw: part };
  return { type, text: content ?? '', raw: part };
}

function readResult(part: JsonNode, path: string): ResultPart {
  const value = firstPresent([part], ...VALUE_KEYS);
  return {
    type: 'result',
    callId: idOf(part, path),
    tool: stringIn(part.get('name'), `${path}.name`),
    content: value === undefined ? [] : [{ type: 'text', text: value, raw: value }],
    raw: part,
  };
}

/** The id of a call; without ids, calls and results pair by order. */
function idOf(part: JsonNode, path: string): string | undefined {
  return stringIn(part.get('id'), `${path}.id`) || undefined;
}

function mediaKindOf(part: JsonNode): MediaPart['kind'] {
  const mediaType = part.get('mime_type')?.string ?? part.get('media_type')?.string ?? '';
  const description = `${part.get('modality')?.string ?? ''} ${mediaType} ${part.get('type')!.text}`;
  if (description.includes('image')) return 'image';
  return description.includes('audio') ? 'audio' : 'file';
}

// --- writing

function writePart(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshPart(part);
  if (part.type === 'text' || part.type === 'thinking')
    return part.text === '' && present(raw, 'content') === undefined ? raw : patch(raw, { content: json(part.text) });
  if (part.type === 'call')
    return patch(raw, { ...idField('id', part), ...argumentsField(part, raw.get('arguments')) });
  return part.type === 'result' ? patch(raw, { ...idField('id', part), ...valueField(part, raw) }) : raw;
}

function argumentsField({ input }: CallPart, old: JsonNode | undefined): JsonFields {
  if (input === '' && (old === undefined || old.isNull)) return {};
  return { arguments: old?.isString ? json(input) : jsonValue(input) };
}

function valueField({ content }: ResultPart, raw: JsonNode): JsonFields {
  const key = VALUE_KEYS.find((name) => present(raw, name) !== undefined);
  if (key !== undefined) return { [key]: resultValue(content) };
  return content.length === 0 ? {} : { response: resultValue(content) };
}

/** A single value keeps its type; several texts become one. */
function resultValue(content: readonly ContentPart[]): Json {
  const [first] = content;
  if (content.length === 1 && first!.type === 'text') return json(first!.text);
  const others = content.filter(({ type }) => type !== 'text');
  return others.length === 0 ? joinTexts(content) : content.map(freshPart);
}

function freshPart(part: Part): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', content: json(part.text) };
    case 'thinking':
      return { type: 'reasoning', content: json(part.text) };
    case 'call':
      return {
        type: 'tool_call',
        id: part.callId,
        name: part.tool,
        arguments: part.input === '' ? undefined : jsonValue(part.input),
      };
    case 'result':
      return { type: 'tool_call_response', id: part.callId, name: part.tool, response: resultValue(part.content) };
    default:
      return part.raw instanceof JsonNode ? part.raw : { type: part.type };
  }
}
