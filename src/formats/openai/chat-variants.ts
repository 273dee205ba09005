/**
 * Chat messages as frameworks write them into traces. They differ from OpenAI's:
 * - calls in `additional_kwargs.tool_calls` (LangChain)
 * - calls without `function` around name and arguments (Langfuse)
 * - results with the tool name as role, and without a call id (LangGraph)
 * - content that is any JSON value
 * - the deprecated `function_call` beside them, as OpenInference names it
 *
 * Only found inside traces.
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { type Nested, nested, renested } from '../../json/nested.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, jsonValue, objectsIn, optionalString, present, stringIn } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, readMedia } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { bareCallsOf, readBareCall, writeBareCall } from './bare-calls.js';

const ROLES = table<Role>({
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
});
/** Keys of a result for the id of its call. */
const ID_KEYS = ['tool_call_id', 'tool_call_ids'];
/** The start of a list of calls in a string, possibly encoded twice. */
const CALLS_IN_TEXT = /^[\s"]*\[\s*\{[\s\S]*(?:function|toolName)/;
const MEDIA = ['image', 'audio', 'file'] as const;

export default defineFormat({
  id: 'chat-variants',
  traits: {},
  messagePaths: [],
  score(raw) {
    const role = raw.get('role')?.string;
    const content = raw.get('content');
    if (role === undefined || raw.get('parts') !== undefined) return 0;
    if (kwargsIn(raw) !== undefined) return 0.97;
    if (callsInText(raw) !== undefined) return 0.96;
    const [call] = raw.get('tool_calls')?.items() ?? [];
    if (call !== undefined) return call.get('name') !== undefined && call.get('function') === undefined ? 0.96 : 0;
    if (!(role in ROLES)) return content === undefined ? 0 : 0.5;
    if (role === 'tool' && ID_KEYS.every((key) => present(raw, key) === undefined)) return 0.91;
    if (content?.isObject || content?.number !== undefined || content?.boolean !== undefined) return 0.95;
    return content === undefined ? 0 : 0.1;
  },
  read(raw) {
    const roleName = optionalString(raw, 'role') ?? '';
    const role = ROLES[roleName] ?? 'tool';
    const embedded = callsInText(raw);
    if (embedded !== undefined)
      return {
        role: 'assistant',
        parts: bareCallsOf(embedded.value)!.map(readBareCall),
        name: optionalString(raw, 'name'),
        raw,
      };
    if (role === 'tool' && isDefinition(raw.get('content'))) return { role: 'meta', parts: [], raw };
    const content = readContent(present(raw, 'content'));
    if (role !== 'tool')
      return { role, parts: [...content, ...readCalls(raw)], name: optionalString(raw, 'name'), raw };
    const tool = optionalString(raw, 'name') ?? (roleName in ROLES ? undefined : roleName);
    const callId = optionalString(raw, 'tool_call_id') || undefined;
    const legacy = roleName === 'function' && callId === undefined ? { legacy: true } : {};
    return { role, parts: [{ type: 'result', callId, tool, content, ...legacy, raw }], raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    if (message.role === 'meta') return raw;
    const embedded = callsInText(raw);
    if (embedded !== undefined) return writeCallText(parts, raw, embedded);
    const result = parts.find(isResult);
    if (result !== undefined)
      return patch(raw, {
        ...idField('tool_call_id', result),
        content: writeContent(result.content, raw.get('content')),
      });
    const calls = parts.filter((part) => part.type === 'call');
    return patch(raw, {
      content: writeContent(parts.filter(isContent), raw.get('content')),
      ...callFields(calls, raw),
    });
  },
});

/** Whether content is a tool definition: Langfuse appends those to the messages, with role `tool`. */
export function isDefinition(content: JsonNode | undefined): boolean {
  return content?.get('type')?.string === 'function' && content.get('function')?.get('name')?.isString === true;
}

/** The calls in the text of a message. The role may be `assistant` or, with Koog, `tool`. */
function callsInText(raw: JsonNode): Nested | undefined {
  const content = raw.get('content');
  const role = ROLES[raw.get('role')?.string ?? ''];
  if (!content?.isString || (role !== 'assistant' && role !== 'tool') || !CALLS_IN_TEXT.test(content.text))
    return undefined;
  if ([...ID_KEYS, 'tool_calls'].some((key) => present(raw, key) !== undefined)) return undefined;
  const embedded = nested(content);
  return bareCallsOf(embedded.value) && embedded;
}

/** Keeps calls as text if nothing else is in the message. Otherwise calls go into `tool_calls`. */
function writeCallText(parts: readonly Part[], raw: JsonNode, embedded: Nested): Json {
  const items = embedded.value.items();
  const calls = parts.filter(isCall);
  if (calls.length === 0 || calls.length < parts.length) {
    const listed = calls.map((call) => writeCall({ ...call, raw: undefined }));
    return patch(raw, {
      role: 'assistant',
      content: writeContent(parts.filter(isContent), undefined) ?? '',
      ...(calls.length === 0 ? {} : { tool_calls: listed }),
    });
  }
  // The nested text is parsed again, so nodes are matched by position.
  const written = calls.map((call) => {
    const own = items.find((item) => call.raw instanceof JsonNode && item.start === call.raw.start);
    const before = own && readBareCall(own).input;
    const isSame = before !== undefined && textOf(before) === textOf(call.input);
    return writeBareCall({ ...call, raw: own, input: isSame ? before : textOf(call.input) });
  });
  return patch(raw, { content: renested(embedded, patchItems(embedded.value, written)) });
}

/** The calls in LangChain's `additional_kwargs`, if the message has no `tool_calls`. */
function kwargsIn(raw: JsonNode): JsonNode | undefined {
  const calls = raw.get('additional_kwargs')?.get('tool_calls');
  return calls?.isArray && present(raw, 'tool_calls') === undefined ? calls : undefined;
}

function callsOf(raw: JsonNode): JsonNode[] {
  return objectsIn(kwargsIn(raw) ?? raw.get('tool_calls'), 'tool_calls');
}

function readCalls(raw: JsonNode): CallPart[] {
  const legacy = legacyIn(raw);
  const calls = callsOf(raw).map(readCall);
  return legacy === undefined ? calls : [...calls, { ...readCall(legacy), callId: undefined, legacy: true }];
}

function legacyIn(raw: JsonNode): JsonNode | undefined {
  const call = raw.get('function_call');
  return call?.isObject ? call : undefined;
}

function readContent(content: JsonNode | undefined): ContentPart[] {
  if (content === undefined) return [];
  if (!content.isArray) return [{ type: 'text', text: content, raw: content }];
  return content.items().map((block) => {
    const text = block.isString ? block : block.get('text');
    if (text?.isString) return { type: 'text', text, raw: block };
    return readMedia(
      block,
      MEDIA.find((name) => block.get('type')?.string?.includes(name)),
    );
  });
}

function readCall(call: JsonNode): CallPart {
  const target = call.get('function') ?? call;
  return {
    type: 'call',
    callId: stringIn(call.get('id'), 'tool_calls.id') || undefined,
    tool: stringIn(target.get('name'), 'tool_calls.name') ?? '',
    input: inputIn(target) ?? '',
    raw: call,
  };
}

function inputIn(target: JsonNode): JsonNode | undefined {
  return present(target, 'arguments') ?? present(target, 'args');
}

function writeContent(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray) return patchItems(old, parts.map(writeBlock));
  const [first] = parts;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  return parts.length === 1 && first.type === 'text' ? json(first.text) : joinTexts(parts);
}

function writeBlock(part: ContentPart): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw as Json;
  if (!(raw instanceof JsonNode)) return { type: 'text', text: json(part.text) };
  return raw.isString ? json(part.text) : patch(raw, { text: json(part.text) });
}

function callFields(calls: readonly CallPart[], raw: JsonNode): JsonFields {
  const list = kwargsIn(raw) ?? raw.get('tool_calls');
  const written = calls.filter((call) => !call.legacy).map(writeCall);
  const legacy = legacyFields(calls, raw);
  if (list?.isArray !== true) return written.length === 0 ? legacy : { ...legacy, tool_calls: written };
  const remaining = written.length === 0 && list.length > 0 ? undefined : patchItems(list, written);
  const kwargs = raw.get('additional_kwargs');
  return kwargsIn(raw) === undefined
    ? { ...legacy, tool_calls: remaining }
    : { ...legacy, additional_kwargs: patch(kwargs!, { tool_calls: remaining }) };
}

function legacyFields(calls: readonly CallPart[], raw: JsonNode): JsonFields {
  const call = calls.find(({ legacy }) => legacy);
  return legacyIn(raw) === undefined ? {} : { function_call: call && writeCall(call) };
}

function writeCall(call: CallPart): Json {
  const { raw } = call;
  if (!(raw instanceof JsonNode))
    return { id: call.callId, name: call.tool, arguments: json(call.input), type: 'function' };
  const target = raw.get('function') ?? raw;
  const key =
    present(target, 'arguments') === undefined && present(target, 'args') !== undefined ? 'args' : 'arguments';
  const old = inputIn(target);
  const input =
    call.input === '' && old === undefined
      ? {}
      : { [key]: old?.isString === false ? jsonValue(call.input) : json(call.input) };
  const id = idField('id', call);
  return target === raw ? patch(raw, { ...id, ...input }) : patch(raw, { ...id, function: patch(target, input) });
}

/** A message that was added. */
function freshMessage({ role, parts, name }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined)
    return {
      role: result.legacy ? 'function' : 'tool',
      tool_call_id: result.callId,
      name: result.tool,
      content: writeContent(result.content, undefined) ?? '',
    };
  const calls = parts.filter(isCall);
  const listed = calls.filter((call) => !call.legacy);
  const legacy = calls.find((call) => call.legacy);
  return {
    role: role === 'meta' ? 'user' : role,
    name,
    content: writeContent(parts.filter(isContent), undefined) ?? '',
    tool_calls: listed.length === 0 ? undefined : listed.map(writeCall),
    function_call: legacy && { name: legacy.tool, arguments: json(legacy.input) },
  };
}
