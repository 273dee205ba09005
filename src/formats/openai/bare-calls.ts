/**
 * Calls in a list by themselves: all that a reply said, where a trace keeps no message around them. The AI SDK's are
 * `{toolCallId, toolName, input}`, those of chat completions `{id, type, function}`. Only found inside of traces.
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { isCall } from '../shared/parts.js';
import openaiChat from './openai-chat.js';

/** Where a call says what it is called with. */
const INPUTS = ['input', 'args', 'arguments'];

export default defineFormat({
  id: 'bare-calls',
  traits: {},
  messagePaths: [],
  score: (raw) => (isBareCalls(raw) === undefined ? 0 : 1),
  read: (raw) =>
    raw.isObject ? openaiChat.read(raw) : { role: 'assistant', parts: raw.items().map(readBareCall), raw },
  /** What says more than calls is a message. */
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode) || raw.isObject) return openaiChat.write(message);
    const calls = parts.filter(isCall);
    return calls.length < parts.length
      ? openaiChat.write({ ...message, raw: undefined })
      : patchItems(raw, calls.map(writeBareCall));
  },
});

/** The calls of a list that holds nothing else. */
export function isBareCalls(list: JsonNode): readonly JsonNode[] | undefined {
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

/** A call of such a list. */
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
  return INPUTS.map((key) => present(called, key)).find((input) => input !== undefined);
}

/** The same with what changed in it. One that was added is spelled as chat completions spell it. */
export function writeBareCall({ raw, callId, tool, input }: CallPart): Json {
  if (!(raw instanceof JsonNode))
    return { id: callId ?? '', type: 'function', function: { name: tool, arguments: json(input) } };
  const called = raw.get('function') ?? raw;
  const key = INPUTS.find((name) => present(called, name) !== undefined);
  const inputs = key === undefined ? {} : { [key]: called.get(key)!.isString ? json(input) : jsonValue(input) };
  const ids = callId === undefined ? {} : { [raw.get('toolCallId') === undefined ? 'id' : 'toolCallId']: callId };
  return called === raw ? patch(raw, { ...ids, ...inputs }) : patch(raw, { ...ids, function: patch(called, inputs) });
}
