/** Reads and writes the content of AutoGen's messages. */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, present, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, isCall, joinedText, writeContent } from '../shared/parts.js';

/** The parts of a content: a text, a list of texts and images, a list of calls, or (structured messages) any value. */
export function readContent(content: JsonNode | undefined): Part[] {
  if (content === undefined || content.isNull) return [];
  if (!content.isArray) return [{ type: 'text', text: content, raw: content }];
  return content.items().map((item, index): Part => {
    if (item.isString) return { type: 'text', text: item, raw: item };
    if (!item.isObject) return wrongType(item, `content[${index}]`, 'a string or an object');
    if (item.get('arguments') !== undefined) return readCall(item, `content[${index}]`);
    return item.get('data') === undefined
      ? { type: 'opaque', text: item, raw: item }
      : { type: 'media', kind: item.get('filename') === undefined ? 'image' : 'file', raw: item };
  });
}

function readCall(call: JsonNode, path: string): CallPart {
  return {
    type: 'call',
    callId: stringIn(call.get('id'), `${path}.id`) ?? '',
    tool: stringIn(call.get('name'), `${path}.name`) ?? '',
    input: call.get('arguments')!,
    raw: call,
  };
}

/** A result in a list of them. */
export function readResult(result: JsonNode, index: number): ResultPart {
  const path = `content[${index}]`;
  const text = present(result, 'content');
  const content: ContentPart[] = text === undefined ? [] : [{ type: 'text', text, raw: text }];
  return {
    type: 'result',
    callId: stringIn(result.get('call_id'), `${path}.call_id`) ?? '',
    tool: stringIn(result.get('name'), `${path}.name`),
    content,
    isError: result.get('is_error')?.boolean === true,
    raw: result,
  };
}

/** A part as an element of its list. */
export function writePart(part: Part): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type === 'text') return json(part.text);
  if (part.type === 'call')
    return old === undefined
      ? { id: part.callId ?? '', arguments: textOf(part.input), name: part.tool }
      : patch(old, { ...idField('id', part), arguments: json(part.input) });
  if (part.type !== 'result') return old ?? { type: part.type };
  const text = joinedText(part.content.filter(({ type }) => type === 'text'));
  if (old === undefined)
    return { content: text, name: part.tool ?? '', call_id: part.callId ?? '', is_error: part.isError === true };
  return patch(old, {
    ...idField('call_id', part),
    ...(part.content.length === 0 && present(old, 'content') === undefined ? {} : { content: text }),
  });
}

/**
 * Which parts are written as the thought: reasoning, and the text of a message with calls, whose list holds no text.
 */
export function isThought(parts: readonly Part[]): (part: Part) => boolean {
  const isCalling = parts.some(isCall);
  return ({ type }) => type === 'thinking' || (isCalling && type === 'text');
}

/** A message that was added, as a model client's message; `beforeWrite` adapts it to the list. */
export function writeFresh({ role, parts, name }: Message): Json {
  const calls = parts.filter(isCall);
  const thoughts = parts.filter(isThought(parts));
  const contents = calls.length > 0 ? calls : parts.filter((part) => !thoughts.includes(part));
  const content = writeContent(contents, undefined, writePart) ?? '';
  if (role === 'tool') return { content: parts.map(writePart), type: 'FunctionExecutionResultMessage' };
  if (role === 'system') return { content, type: 'SystemMessage' };
  if (role === 'user') return { content, source: name, type: 'UserMessage' };
  return {
    content,
    ...(thoughts.length === 0 ? {} : { thought: joinedText(thoughts) }),
    source: name,
    type: 'AssistantMessage',
  };
}
