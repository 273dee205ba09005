/**
 * OpenHands: lists of events, in `history` of an evaluation's or the resolver's output, in `trajectory`, or by themselves. An action of
 * the agent may be a call, an observation its result. They name the call in `tool_call_metadata`, which holds the model's whole
 * response again; without it the observation names the action's event in `cause`; early events name nothing and pair by order, and
 * have the members of `args` beside `action`. Earliest histories are pairs of an action and an observation.
 * https://github.com/All-Hands-AI/OpenHands/blob/main/openhands/events/serialization/event.py
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { hasContent, joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, TextPart } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { jsonValue, present, wrongType } from '../shared/json-fields.js';
import { mapDeep } from '../shared/map-values.js';
import { isCall, isResult, joinedString } from '../shared/parts.js';
import {
  baseOf,
  CALLS,
  callIdIn,
  idIn,
  kindOf,
  META,
  NAMES,
  RESULTS,
  responseCalls,
  speaker,
  withCalls,
} from './openhands-events.js';
import { beforeWrite, inPairs } from './openhands-list.js';
import { describe, recorded } from './openhands-record.js';

/** Members of an action that are no arguments of the tool. */
const BOOKKEEPING = new Set([
  'id',
  'timestamp',
  'source',
  'message',
  'cause',
  'action',
  'tool_call_metadata',
  'llm_metrics',
  'timeout',
  'thought',
  'keep_prompt',
  'is_confirmed',
  'confirmation_state',
  'action_risk',
  'security_risk',
  'kernel_init_code',
  'hidden',
  'blocking',
]);

export default defineFormat({
  id: 'openhands',
  traits: { flagsErrors: true },
  messagePaths: ['history', 'trajectory', 'events'],
  score(raw) {
    const [action, observation] = [raw.get('action'), raw.get('observation')];
    const name = (action ?? observation)?.string;
    if (name === undefined || (action !== undefined && observation !== undefined) || raw.get('role') !== undefined)
      return 0;
    const isWhole =
      action === undefined ? raw.get('content')?.isString && raw.get('extras')?.isObject : raw.get('args')?.isObject;
    if (isWhole) return 1;
    return NAMES.has(name) ? (action === undefined ? (raw.get('content')?.isString ? 0.9 : 0.3) : 0.9) : 0;
  },
  read(raw) {
    const kind = kindOf(raw);
    if (kind === 'record') return { role: 'meta', parts: [], raw };
    if (kind === 'result') return { role: 'tool', parts: [readResult(raw)], raw };
    if (kind === 'told') return { role: 'user', parts: textsIn(raw, ['content']), raw };
    const texts = textsIn(baseOf(raw), textKeys(raw));
    if (kind === 'speech') return { role: speaker(raw), parts: texts, model: modelIn(raw), raw };
    return { role: 'assistant', parts: [...texts, readCall(raw)], model: modelIn(raw), raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    const kind = kindOf(raw);
    if (kind === 'record') return raw;
    if (kind === 'result') return writeResult(parts.find(isResult), raw);
    if (kind === 'told') return patch(raw, writeTexts(parts, raw, ['content']));
    const call = parts.find(isCall);
    if (kind === 'call' && call === undefined) return asSpeech(parts, raw);
    const base = writeTexts(parts, baseOf(raw), textKeys(raw));
    return call === undefined ? withBase(raw, base, {}) : writeCall(call, raw, base);
  },
  describe,
  recorded,
  beforeWrite,
  envelope: {
    open(record) {
      const pairs = record.get('history')?.items() ?? [];
      if (pairs.length === 0 || !pairs.every((pair) => pair.isArray && pair.items().every((event) => event.isObject)))
        return undefined;
      return [parse(`[${pairs.flatMap((pair) => pair.items().map((event) => event.text)).join(',')}]`)];
    },
    close(record, [list]) {
      const events = list instanceof JsonNode ? list.items() : ((list as { items: readonly Json[] }).items ?? []);
      return patch(record, { history: patchItems(record.get('history')!, inPairs(events)) });
    },
  },
});

function textKeys(raw: JsonNode): readonly string[] {
  const action = raw.get('action')?.string;
  if (action === 'message' || action === 'system') return ['content'];
  return action === 'finish' || action === 'reject'
    ? ['thought', 'final_thought']
    : action === 'think'
      ? []
      : ['thought'];
}

// --- reading

function textsIn(base: JsonNode, keys: readonly string[]): Part[] {
  return keys.flatMap((key) => {
    const text = textIn(base, key);
    return text === undefined || text.byteLength === 0 ? [] : [{ type: 'text', text, raw: text } as const];
  });
}

/** A thought may be an object, with what a reasoning model thought beside its text. */
function textIn(base: JsonNode, key: string): JsonNode | undefined {
  const value = present(base, key);
  const text = value?.isObject ? present(value, 'text') : value;
  return text === undefined || text.isString ? text : wrongType(text, key, 'a string');
}

function readCall(raw: JsonNode): CallPart {
  const meta = present(raw, META);
  return {
    type: 'call',
    callId: callIdIn(raw, 'id'),
    tool: meta?.get('function_name')?.string ?? raw.get('action')!.text,
    input: writtenCall(raw)?.get('function')?.get('arguments') ?? argumentsIn(raw),
    raw,
  };
}

/** The call as the model wrote it. */
function writtenCall(raw: JsonNode): JsonNode | undefined {
  const meta = present(raw, META);
  const id = meta?.get('tool_call_id')?.string;
  const call = responseCalls(meta).find((candidate) => candidate.get('id')?.string === id);
  return call?.get('function')?.get('arguments')?.isString ? call : undefined;
}

/** The members of an action that are arguments, as JSON. */
function argumentsIn(raw: JsonNode): string {
  const members = argumentMembers(raw).map(
    ({ key, value }) => `${JSON.stringify(key.text)}:${value.isString ? JSON.stringify(value.text) : value.text}`,
  );
  return `{${members.join(',')}}`;
}

function argumentMembers(raw: JsonNode) {
  const isThink = raw.get('action')?.string === 'think';
  return baseOf(raw)
    .members()
    .filter(({ key }) => !BOOKKEEPING.has(key.text) || (isThink && key.text === 'thought'));
}

function readResult(raw: JsonNode): ResultPart {
  const meta = present(raw, META);
  const observation = raw.get('observation')!.text;
  const tool =
    meta?.get('function_name')?.string ??
    (RESULTS.has(observation) && CALLS.has(observation) && observation !== 'browse' ? observation : undefined);
  return {
    type: 'result',
    callId: callIdIn(raw, 'cause'),
    tool,
    content: textsIn(raw, ['content']) as ContentPart[],
    isError: observation === 'error',
    raw,
  };
}

function modelIn(raw: JsonNode): string | undefined {
  return raw.get(META)?.get('model_response')?.get('model')?.string;
}

// --- writing

function writeTexts(parts: readonly Part[], base: JsonNode, keys: readonly string[]): JsonFields {
  const fields: Record<string, Json | undefined> = {};
  let at = keys[0];
  const placed = parts.map((part) => {
    at = keys.find((key) => textIn(base, key)?.is(part.raw)) ?? at; // what was added stands where that before it stands
    return { part, at };
  });
  for (const key of keys) {
    const old = textIn(base, key);
    const texts = placed.flatMap(({ part, at }) => (part.type === 'text' && at === key ? [part] : []));
    if (old === undefined && texts.length === 0) continue;
    const text = joinedString(texts);
    const whole = base.get(key);
    if (texts.length > 0 || old!.byteLength > 0) fields[key] = whole?.isObject ? patch(whole, { text }) : text;
  }
  return fields;
}

function withBase(raw: JsonNode, base: JsonFields, fields: JsonFields): Json {
  const args = baseOf(raw);
  return args === raw ? patch(raw, { ...base, ...fields }) : patch(raw, { args: patch(args, base), ...fields });
}

function writeCall(call: CallPart, raw: JsonNode, base: JsonFields): Json {
  const written = writtenCall(raw);
  const isSame =
    call.input instanceof JsonNode
      ? call.input.is(written?.get('function')?.get('arguments'))
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

/** The id of a call, and its arguments where they changed, wherever the event says them. */
function idFields(callId: string | undefined, raw: JsonNode, key: 'id' | 'cause', input?: string): JsonFields {
  const meta = present(raw, META);
  if (meta === undefined) return callId === undefined || callId === idIn(raw, key) ? {} : { [key]: numbered(callId) };
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
  return { [META]: withCalls(patch(meta, { tool_call_id: id }), meta, responseCalls(meta).map(change)) };
}

function numbered(id: string): Json {
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** What is left of a call is what was said with it. */
function asSpeech(parts: readonly Part[], raw: JsonNode): Json {
  const said = { content: joinTexts(parts.filter((part) => part.type === 'text')), wait_for_response: false };
  const head = { action: 'message', source: 'agent', message: undefined, timeout: undefined, [META]: undefined };
  if (baseOf(raw) !== raw) return patch(raw, { ...head, args: said });
  const gone = Object.fromEntries(
    [
      ...argumentMembers(raw).map(({ key }) => key.text),
      'thought',
      'keep_prompt',
      'kernel_init_code',
      'is_confirmed',
      'action_risk',
    ].map((key) => [key, undefined]),
  );
  return patch(raw, { ...gone, ...head, ...said });
}

/** What an event shows its users, and extras, may repeat the content. */
function writeResult(result: ResultPart | undefined, raw: JsonNode): Json {
  const content = result?.content ?? [];
  const fields = writeTexts(content, raw, ['content']);
  const [before, after] = [raw.get('content'), fields['content']];
  const ids = idFields(result?.callId, raw, 'cause');
  if (after === undefined || before === undefined || before.is(after) || before.byteLength === 0)
    return patch(raw, { ...fields, ...ids });
  const alike = (node: JsonNode) => (node.isString && node.text === before.text ? after : undefined);
  const repeated = ['message', 'extras'].flatMap((key): [string, Json][] =>
    raw.get(key) === undefined ? [] : [[key, mapDeep(raw.get(key)!, alike) as Json]],
  );
  return patch(raw, { ...fields, ...Object.fromEntries(repeated), ...ids });
}

/** An event that `beforeWrite` makes a whole one. */
function fresh({ role, parts }: Message): JsonFields {
  const result = parts.find(isResult);
  if (result !== undefined) {
    const content = joinTexts(result.content);
    const observation = result.isError ? 'error' : RESULTS.has(result.tool ?? '') ? result.tool : 'run';
    return { ...freshId(result.callId, 'cause', result.tool), observation, content, extras: {} };
  }
  const texts = parts.filter((part) => part.type === 'text');
  const content = joinTexts(texts);
  const call = parts.find(isCall);
  if (call === undefined && role === 'assistant' && texts.filter(hasContent).length > 1) return freshFinish(texts);
  if (call === undefined) {
    const action = role === 'system' ? 'system' : 'message';
    return {
      source: role === 'assistant' || role === 'system' ? 'agent' : 'user',
      action,
      args: role === 'system' ? { content } : { content, wait_for_response: false },
    };
  }
  const action = CALLS.has(call.tool) ? call.tool : 'call_tool_mcp';
  const input = jsonValue(call.input);
  const args =
    input instanceof JsonNode && input.isObject
      ? Object.fromEntries(input.members().map(({ key, value }): [string, Json] => [key.text, value]))
      : {};
  const written = {
    choices: [
      {
        message: {
          role: 'assistant',
          content,
          tool_calls: [
            { id: call.callId, type: 'function', function: { name: call.tool, arguments: textOf(call.input) } },
          ],
        },
      },
    ],
  };
  return {
    source: 'agent',
    ...freshId(call.callId, 'id', call.tool, written),
    action,
    args: { ...args, ...(action === 'think' ? {} : { thought: content }) },
  };
}

/** The one event that says two things. */
function freshFinish(texts: readonly TextPart[]): JsonFields {
  const args = { thought: joinTexts(texts.slice(0, -1)), final_thought: joinTexts(texts.slice(-1)), outputs: {} };
  return { source: 'agent', action: 'finish', args };
}

function freshId(
  callId: string | undefined,
  key: 'id' | 'cause',
  tool: string | undefined,
  response?: Json,
): JsonFields {
  if (callId === undefined) return {};
  return /^\d+$/.test(callId)
    ? { [key]: Number(callId) }
    : { [META]: { function_name: tool, tool_call_id: callId, model_response: response } };
}
