/** Reads a chat message and its parts: content blocks, reasoning, refusals, calls and results. */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { objectsIn, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { readImages } from './openai-chat-images.js';
import { readReasoning } from './openai-chat-reasoning.js';

const MEDIA = table<'image' | 'audio' | 'file'>({
  image_url: 'image',
  image: 'image',
  input_audio: 'audio',
  file: 'file',
  document_url: 'file',
});
const CALL = { id: 0, function: 1, custom: 2 } as const;
const CALL_KEYS = new Keys(Object.keys(CALL));
const FUNCTION = { name: 0, arguments: 1, input: 2 } as const;
const FUNCTION_KEYS = new Keys(Object.keys(FUNCTION));

/** Members of a message that may hold reasoning: texts (of vLLM and Groq, DeepSeek, Ollama), and blocks. */
export const REASONING = ['reasoning', 'reasoning_content', 'thinking', 'reasoning_details', 'thinking_blocks'];

export const ROLES = table<Role>({
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
});
const MESSAGE = {
  role: 0,
  content: 1,
  name: 2,
  tool_calls: 3,
  function_call: 4,
  tool_call_id: 5,
  refusal: 6,
  images: 7,
  audio: 8,
} as const;
const MESSAGE_KEYS = new Keys([...Object.keys(MESSAGE), ...REASONING]);
const FIRST_REASONING = Object.keys(MESSAGE).length;
export const ROLE_NAMES = new Keys(Object.keys(ROLES));
export const ROLE_OF = Object.values(ROLES);
const LEGACY_RESULT = ROLE_NAMES.names.indexOf('function');

/** Reads a message. */
export function readMessage(raw: JsonNode): Message {
  const found = raw.find(MESSAGE_KEYS);
  const roleIndex = raw.nameAt(found[MESSAGE.role]!, ROLE_NAMES);
  const role = ROLE_OF[roleIndex];
  if (role === undefined)
    return raw.stringAt(found[MESSAGE.role]!) === undefined
      ? wrongMember(raw.nodeAt(found[MESSAGE.role]!), raw, 'role', 'a string')
      : { role: 'meta', parts: [], raw };
  const name = found[MESSAGE.name]! < 0 ? undefined : stringIn(raw.nodeAt(found[MESSAGE.name]!), 'name');
  const content = raw.nodeAt(found[MESSAGE.content]!);
  let parts: Part[] = readContent(content, 'content', readBlock, 'a string, null or an array of parts');
  if (found[MESSAGE.images]! >= 0) parts = [...parts, ...readImages(raw.nodeAt(found[MESSAGE.images]!)!)];
  if (role === 'tool') {
    const legacy = roleIndex === LEGACY_RESULT;
    const callId = legacy ? undefined : resultCallId(raw, found[MESSAGE.tool_call_id]!);
    return { role, parts: [readResult(raw, callId, name, parts as ContentPart[])], raw };
  }
  if (role === 'assistant') {
    if (found[MESSAGE.refusal]! >= 0) addRefusal(raw.nodeAt(found[MESSAGE.refusal]!)!, parts);
    if (found[MESSAGE.audio]! >= 0) addSpeech(raw.nodeAt(found[MESSAGE.audio]!)!, parts);
    if (raw.isAt(found[MESSAGE.tool_calls]!) || raw.isAt(found[MESSAGE.function_call]!))
      parts = [
        ...parts,
        ...readCalls(raw.nodeAt(found[MESSAGE.tool_calls]!), raw.nodeAt(found[MESSAGE.function_call]!)),
      ];
    parts = withReasoning(raw, found, FIRST_REASONING, parts);
  }
  const calls = raw.nodeAt(found[MESSAGE.tool_calls]!);
  if (calls?.isArray && calls.length === 0) return { role, parts, name, emptyCalls: true, raw };
  return { role, parts, name, raw };
}

/** Reads one element of `content`. */
export function readBlock(item: JsonNode, path: string): ContentPart {
  if (item.isString) return { type: 'text', text: item, raw: item };
  if (!item.isObject) return wrongType(item, path, 'an object');
  const type = item.get('type')?.string;
  if (type === 'text') {
    const text = item.get('text') ?? item.get('value');
    return text?.isString ? { type: 'text', text, raw: item } : wrongMember(text, item, `${path}.text`, 'a string');
  }
  return readMedia(item, type === undefined ? undefined : MEDIA[type]);
}

/**
 * The parts with the thoughts before them. Most messages have none, and others one text. `first`: the index in `found`
 * of the first member of `REASONING`.
 */
function withReasoning(raw: JsonNode, found: Int32Array, first: number, parts: Part[]): Part[] {
  let [held, last] = [0, -1];
  for (let at = first; at < found.length; at++)
    if (found[at]! >= 0) {
      held++;
      last = found[at]!;
    }
  if (held === 0) return parts;
  const only = held === 1 ? raw.nodeAt(last)! : undefined;
  if (!only?.isString) return [...readReasoning(raw), ...parts];
  return only.byteLength === 0 ? parts : [{ type: 'thinking', text: only, raw: only }, ...parts];
}

/** Appends a refusal. */
function addRefusal(text: JsonNode, parts: Part[]): void {
  if (text.isString && text.byteLength > 0) parts.push({ type: 'opaque', text, raw: text });
}

/** Appends what the model spoke, and its sound. https://platform.openai.com/docs/api-reference/chat/object (2026-11) */
function addSpeech(audio: JsonNode, parts: Part[]): void {
  const text = audio.get('transcript');
  if (text?.isString && text.byteLength > 0) parts.push({ type: 'text', text, raw: audio });
  if (audio.isObject) parts.push({ type: 'media', kind: 'audio', raw: audio });
}

/** Reads `tool_calls`, and the deprecated `function_call`. */
function readCalls(calls: JsonNode | undefined, legacy: JsonNode | undefined): CallPart[] {
  const listed = objectsIn(calls, 'tool_calls').map(readCall);
  if (legacy === undefined || legacy.isNull) return listed;
  if (!legacy.isObject) wrongType(legacy, 'function_call', 'an object');
  const described = legacy.find(FUNCTION_KEYS);
  const tool = stringIn(legacy.nodeAt(described[FUNCTION.name]!), 'function_call.name') ?? '';
  return [
    ...listed,
    { type: 'call', callId: undefined, tool, input: inputOf(legacy, described), legacy: true, raw: legacy },
  ];
}

function readCall(call: JsonNode, index: number): CallPart {
  const found = call.find(CALL_KEYS);
  const called = call.nodeAt(found[CALL.function]!);
  const target = called?.isObject ? called : call.nodeAt(found[CALL.custom]!);
  const callId = call.stringAt(found[CALL.id]!) ?? stringInCall(call.nodeAt(found[CALL.id]!), index, 'id') ?? '';
  if (target === undefined || !target.isObject)
    return wrongMember(called, call, `tool_calls[${index}].function`, 'an object');
  const described = target.find(FUNCTION_KEYS);
  const tool =
    target.stringAt(described[FUNCTION.name]!) ??
    stringInCall(target.nodeAt(described[FUNCTION.name]!), index, 'function.name') ??
    '';
  return { type: 'call', callId, tool, input: inputOf(target, described), raw: call };
}

function stringInCall(member: JsonNode | undefined, index: number, path: string): string | undefined {
  return member === undefined || member.isString || member.isNull
    ? stringIn(member, path)
    : wrongType(member, `tool_calls[${index}].${path}`, 'a string');
}

/** The arguments of a function, or the input of a custom tool. */
function inputOf(called: JsonNode, described: Int32Array): JsonNode | string {
  const at = described[FUNCTION.arguments]! >= 0 ? described[FUNCTION.arguments]! : described[FUNCTION.input]!;
  return called.isAt(at) ? called.nodeAt(at)! : '';
}

/** The id of the call that a result answers. SWE-agent writes the ids as a list of one. */
function resultCallId(raw: JsonNode, idAt: number): string {
  return (
    raw.stringAt(idAt) ??
    stringIn(raw.nodeAt(idAt), 'tool_call_id') ??
    raw.get('tool_call_ids')?.items()[0]?.string ??
    ''
  );
}

/**
 * A row that an agent writes for itself and never sends: the end of a run of mini-swe-agent, marks of Kimi CLI.
 * https://github.com/SWE-agent/mini-swe-agent/blob/main/src/minisweagent/agents/default.py (2025-11)
 * https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/context.py (2026-01)
 */
export function isAgentRow(raw: JsonNode): boolean {
  const role = raw.get('role')?.string;
  if (role === 'exit') return raw.get('extra')?.get('exit_status')?.isString === true;
  return (
    (role === '_checkpoint' && raw.get('id') !== undefined) ||
    (role === '_usage' && raw.get('token_count') !== undefined)
  );
}

/** A result. `callId`: undefined for the deprecated role `function`, whose results pair by name. */
function readResult(
  raw: JsonNode,
  callId: string | undefined,
  tool: string | undefined,
  content: readonly ContentPart[],
): ResultPart {
  return callId === undefined
    ? { type: 'result', callId, tool, content, legacy: true, raw }
    : { type: 'result', callId, tool, content, raw };
}
