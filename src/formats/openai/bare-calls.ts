/**
 * A bare list of calls: a reply whose message a trace does not keep. Calls of the AI SDK are
 * `{toolCallId, toolName, input}`, those of chat completions `{id, type, function}`. Only found inside traces.
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { isCall } from '../shared/parts.js';
import openaiChat from './openai-chat.js';

/** Keys of a call's arguments. */
const ARGUMENT_KEYS = ['input', 'args', 'arguments'];

export default defineFormat({
  id: 'bare-calls',
  traits: {},
  messagePaths: [],
  score: (raw) => (bareCallsOf(raw) === undefined ? 0 : 1),
  read: (raw) =>
    raw.isObject ? openaiChat.read(raw) : { role: 'assistant', parts: raw.items().map(readBareCall), raw },
  /** With anything but calls, it becomes a message. */
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode) || raw.isObject) return openaiChat.write(message);
    const calls = parts.filter(isCall);
    return calls.length < parts.length
      ? openaiChat.write({ ...message, raw: undefined })
      : patchItems(raw, calls.map(writeBareCall));
  },
});

/** The calls of a list; undefined if it holds anything else. */
export function bareCallsOf(list: JsonNode): readonly JsonNode[] | undefined {
  if (!list.isArray || list.length === 0) return undefined;
  const items = list.items();
  return items.every(isBareCall) ? items : undefined;
}

function isBareCall(item: JsonNode): boolean {
  const called = item.get('function');
  if (called !== undefined)
    return (
      called.get('name')?.isString === true &&
      called.get('arguments')?.isString === true &&
      item.get('role') === undefined
    );
  return (
    item.get('toolCallId')?.isString === true &&
    item.get('toolName')?.isString === true &&
    inputOf(item) !== undefined &&
    item.get('output') === undefined &&
    item.get('result') === undefined
  );
}

/** Reads a call of such a list. */
export function readBareCall(item: JsonNode): CallPart {
  const called = item.get('function') ?? item;
  return {
    type: 'call',
    callId: (item.get('toolCallId') ?? item.get('id'))?.string || undefined,
    tool: (called.get('toolName') ?? called.get('name'))?.string ?? '',
    input: inputOf(called) ?? '{}',
    raw: item,
  };
}

function inputOf(called: JsonNode): JsonNode | undefined {
  return ARGUMENT_KEYS.map((key) => present(called, key)).find((input) => input !== undefined);
}

/** Writes a call. An added one has the shape of chat completions. */
export function writeBareCall({ raw, callId, tool, input }: CallPart): Json {
  if (!(raw instanceof JsonNode))
    return { id: callId ?? '', type: 'function', function: { name: tool, arguments: json(input) } };
  const called = raw.get('function') ?? raw;
  const key = ARGUMENT_KEYS.find((name) => present(called, name) !== undefined);
  const inputs = key === undefined ? {} : { [key]: called.get(key)!.isString ? json(input) : jsonValue(input) };
  const ids = callId === undefined ? {} : { [raw.get('toolCallId') === undefined ? 'id' : 'toolCallId']: callId };
  return called === raw ? patch(raw, { ...ids, ...inputs }) : patch(raw, { ...ids, function: patch(called, inputs) });
}
