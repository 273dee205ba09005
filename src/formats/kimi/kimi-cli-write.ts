/** Writes the lines of Kimi CLI's wire logs. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { idField, inputField, isResult, joinedString } from '../shared/parts.js';
import { EARLY_PARTS, EMPTY_PART, EVENT, MESSAGE } from './kimi-cli-log.js';
import { messageOf } from './kimi-cli-read.js';

/** Writes the message of a `context.append_message`. */
export function writeMessage(message: JsonNode, parts: readonly Part[]): Json {
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

/** Writes the event of a `context.append_loop_event`. */
export function writeEvent(event: JsonNode, parts: readonly Part[]): Json {
  const part = asOnePart(parts);
  const type = event.get('type')!.text;
  if (type === 'content.part') return patch(event, { part: part === undefined ? EMPTY_PART : writePart(part) });
  if (part?.type === 'call') {
    const args = inputField('args', part, present(event, 'args'), jsonValue(part.input));
    const isSame = args['args'] === undefined || event.get('args')?.is(args['args']);
    return patch(event, {
      ...idField('toolCallId', part),
      ...args,
      ...(isSame ? {} : { description: undefined, display: undefined }), // both repeat the arguments
    });
  }
  if (part?.type !== 'result')
    return {
      type: 'content.part',
      uuid: event.get('uuid'),
      turnId: event.get('turnId'),
      step: event.get('step'),
      stepUuid: event.get('stepUuid'),
      part: EMPTY_PART,
    };
  const result = event.get('result')!;
  return patch(event, {
    ...idField('toolCallId', part),
    result: patch(result, { output: writeContent(part.content, result.get('output')) }),
  });
}

/** The single part that an event can hold: several texts are joined. */
function asOnePart(parts: readonly Part[]): Part | undefined {
  const [first, ...others] = parts;
  if (others.length === 0 || (first?.type !== 'text' && first?.type !== 'thinking')) return first;
  const texts = parts.map((part) => (part.type === 'text' || part.type === 'thinking' ? textOf(part.text) : ''));
  return { ...first, text: texts.join('') };
}

/** Writes the `message` of a line of an earlier version. */
export function writeEarly(type: string, message: JsonNode, parts: readonly Part[]): Json {
  const payload = message.get('payload')!;
  const part = asOnePart(parts);
  if (type === 'TurnBegin' || type === 'SteerInput')
    return patch(message, { payload: patch(payload, { user_input: writeContent(parts, payload.get('user_input')) }) });
  if (EARLY_PARTS.has(type)) return patch(message, { payload: part === undefined ? EMPTY_PART : writePart(part) });
  if (part?.type === 'call') {
    const inner = payload.get('function')!;
    return patch(message, {
      payload: patch(payload, {
        ...idField('id', part),
        function: patch(inner, inputField('arguments', part, present(inner, 'arguments'), json(part.input))),
      }),
    });
  }
  if (part?.type !== 'result') return { type: 'ContentPart', payload: EMPTY_PART };
  const value = payload.get('return_value');
  return patch(message, {
    payload: patch(payload, { ...idField('tool_call_id', part), return_value: writeValue(part, value) }),
  });
}

/** Removes `display` if the message or the output changed, as it can repeat both. */
function writeValue({ content }: ResultPart, value: JsonNode | undefined): Json | undefined {
  if (!value?.isObject) return writeContent(content, value);
  const said = messageOf(value);
  const isSaid = (part: Part) => said?.is(part.raw) === true;
  const message = said && joinedString(content.filter(isSaid));
  const old = value.get('output');
  const left = content.filter((part) => !isSaid(part));
  const output = writeContent(left, old);
  const isSame = (said === undefined || said.is(message)) && (output === undefined || old?.is(output) === true);
  const shown = isSame || value.get('display') === undefined ? {} : { display: [] };
  return patch(value, { ...(said && { message }), output, ...shown });
}

/** Writes content as a string or a list of parts. */
export function writeContent(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray) return patchItems(old, parts.map(writePart));
  if (parts.length === 0) return old?.isString && old.byteLength > 0 ? '' : old;
  const isList = old === undefined && parts.length > 1;
  if (isList || !parts.every((part) => part.type === 'text')) return parts.map(writePart);
  return parts.length === 1 ? json(parts[0]!.text) : joinTexts(parts);
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

/** A line for a message that was added. */
export function freshMessage({ role, parts }: Message): Json {
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
