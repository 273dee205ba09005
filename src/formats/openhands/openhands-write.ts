/** Writes OpenHands events that were read: their texts, calls and results, wherever an event repeats them. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { mapDeep } from '../shared/map-values.js';
import { joinedString } from '../shared/parts.js';
import { baseOf, idIn, isNumber, RESPONSE_METADATA, responseCalls, withCalls } from './openhands-events.js';
import { argumentMembers, argumentsIn, callInResponse, textIn } from './openhands-read.js';

/** The members with the texts. A text that was added goes where the text before it goes. */
export function writeTexts(parts: readonly Part[], base: JsonNode, keys: readonly string[]): JsonFields {
  const fields: Record<string, Json | undefined> = {};
  let currentKey = keys[0];
  const placed = parts.map((part) => {
    currentKey = keys.find((key) => textIn(base, key)?.is(part.raw)) ?? currentKey;
    return { part, key: currentKey };
  });
  for (const key of keys) {
    const old = textIn(base, key);
    const texts = placed.flatMap((one) => (one.part.type === 'text' && one.key === key ? [one.part] : []));
    if (old === undefined && texts.length === 0) continue;
    const text = joinedString(texts);
    const whole = base.get(key);
    if (texts.length > 0 || old!.byteLength > 0) fields[key] = whole?.isObject ? patch(whole, { text }) : text;
  }
  return fields;
}

/** The event with other members in its base (see `baseOf`) and in itself. */
export function withBase(raw: JsonNode, base: JsonFields, fields: JsonFields): Json {
  const args = baseOf(raw);
  return args === raw ? patch(raw, { ...base, ...fields }) : patch(raw, { args: patch(args, base), ...fields });
}

/** The action with a call's id and arguments; `base` holds its texts. */
export function writeCall(call: CallPart, raw: JsonNode, base: JsonFields): Json {
  const isSame =
    call.input instanceof JsonNode
      ? call.input.is(callInResponse(raw)?.get('function')?.get('arguments'))
      : call.input === argumentsIn(raw);
  const members = new Map<string, Json | undefined>();
  if (!isSame) {
    for (const { key } of argumentMembers(raw)) members.set(key.text, undefined);
    const value = jsonValue(call.input);
    if (value instanceof JsonNode && value.isObject)
      for (const { key, value: member } of value.members()) members.set(key.text, member);
  }
  return withBase(
    raw,
    { ...base, ...Object.fromEntries(members) },
    idFields(call.callId, raw, 'id', isSame ? undefined : textOf(call.input)),
  );
}

/** The members with the id of a call, and with its arguments if they changed. */
function idFields(callId: string | undefined, raw: JsonNode, key: 'id' | 'cause', input?: string): JsonFields {
  const meta = present(raw, RESPONSE_METADATA);
  if (meta === undefined)
    return callId === undefined || callId === idIn(raw, key)
      ? {}
      : { [key]: isNumber(callId) ? Number(callId) : callId };
  const old = meta.get('tool_call_id')?.string;
  const id = callId === '' || callId === undefined ? old : callId;
  const change = (call: JsonNode): Json => {
    if (call.get('id')?.string !== old) return call;
    const called = call.get('function');
    return patch(call, {
      id,
      ...(input === undefined || called === undefined ? {} : { function: patch(called, { arguments: input }) }),
    });
  };
  return { [RESPONSE_METADATA]: withCalls(patch(meta, { tool_call_id: id }), meta, responseCalls(meta).map(change)) };
}

/** An action without its call: a message with the texts that the call had. */
export function asSpeech(parts: readonly Part[], raw: JsonNode): Json {
  const args = { content: joinTexts(parts.filter((part) => part.type === 'text')), wait_for_response: false };
  const head = {
    action: 'message',
    source: 'agent',
    message: undefined,
    timeout: undefined,
    [RESPONSE_METADATA]: undefined,
  };
  if (baseOf(raw) !== raw) return patch(raw, { ...head, args });
  const removed = Object.fromEntries(
    [
      ...argumentMembers(raw).map(({ key }) => key.text),
      'thought',
      'keep_prompt',
      'kernel_init_code',
      'is_confirmed',
      'action_risk',
    ].map((key) => [key, undefined]),
  );
  return patch(raw, { ...removed, ...head, ...args });
}

/** The observation with a result's text, also in `message` and `extras` if these repeat it. */
export function writeResult(result: ResultPart | undefined, raw: JsonNode): Json {
  const content = result?.content ?? [];
  const fields = writeTexts(content, raw, ['content']);
  const [before, after] = [raw.get('content'), fields['content']];
  const ids = idFields(result?.callId, raw, 'cause');
  if (after === undefined || before === undefined || before.is(after) || before.byteLength === 0)
    return patch(raw, { ...fields, ...ids });
  const replaceCopy = (node: JsonNode) => (node.isString && node.text === before.text ? after : undefined);
  const repeated = ['message', 'extras'].flatMap((key): [string, Json][] =>
    raw.get(key) === undefined ? [] : [[key, mapDeep(raw.get(key)!, replaceCopy) as Json]],
  );
  return patch(raw, { ...fields, ...Object.fromEntries(repeated), ...ids });
}
