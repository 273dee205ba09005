/**
 * OpenAI Chat Completions and everything written in its shape: request bodies, fine-tuning JSONL, bare message lists,
 * tau-bench and SWE-agent trajectories. Calls stand in `tool_calls` with JSON text as arguments, each result is a message
 * of role `tool`. https://platform.openai.com/docs/api-reference/chat/create
 */
import { type Json, type JsonFields, patch, patchItems } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, ThinkingPart } from '../transcript/types.js';
import { type Description, defineFormat } from './format.js';
import { json, jsonValue, optionalObjects, optionalString, present, wrongType } from './inside.js';

const ROLES: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool', function: 'tool' };
const MEDIA: Readonly<Record<string, 'image' | 'audio' | 'file'>> = { image_url: 'image', image: 'image', input_audio: 'audio', file: 'file', document_url: 'file' };
/** Where reasoning stands beside the content: DeepSeek's name, vLLM's and Groq's. */
const REASONING = ['reasoning_content', 'reasoning'];
/** Content blocks of other shapes (Anthropic, Responses, Vercel, …): a message with them is none of ours. */
const FOREIGN_BLOCKS = new Set(['tool_use', 'tool_result', 'tool_call', 'toolCall', 'tool-call', 'tool-result', 'input_text', 'output_text', 'function_call']);

export default defineFormat({
  id: 'openai-chat',
  title: 'OpenAI Chat Completions: requests, fine-tuning JSONL, message lists',
  traits: {},
  places: [
    'request.messages + response.choices[0].message',
    'item.messages + sample.outputs',
    'messages',
    'traj',
    'history',
    'conversation',
    'request.messages',
    'body.messages',
    'data.messages',
    'input.messages',
    'item.messages',
    'runs[].messages',
    'data[].messages',
  ],
  recognises(raw) {
    const role = raw.get('role')?.string;
    if (role === undefined || raw.get('parts') !== undefined) return role === undefined && raw.get('role') !== undefined ? 0.1 : 0;
    const content = raw.get('content');
    if (content?.isArray && content.items().some((item) => FOREIGN_BLOCKS.has(item.get('type')?.string ?? ''))) return -1;
    if (raw.get('tool_calls')?.items()[0]?.get('name') !== undefined) return -1;
    if (!(role in ROLES)) return content === undefined ? 0 : 0.3;
    if (role === 'tool' || role === 'function') return 0.9;
    if (present(raw, 'tool_calls') !== undefined || present(raw, 'function_call') !== undefined) return 0.95;
    return content === undefined ? 0.2 : 0.6;
  },
  read(raw) {
    const role = raw.get('role');
    if (role === undefined || !role.isString) wrongType(role ?? raw, 'role', 'a string');
    const known = ROLES[role.text];
    if (known === undefined) return { role: 'record', parts: [], raw };
    const name = optionalString(raw, 'name');
    if (known === 'tool') return { role: known, parts: [readResult(raw, role.text === 'function', name)], raw };
    const parts = known === 'assistant' ? [...readThinking(raw), ...readContent(raw), ...readRefusal(raw), ...readCalls(raw)] : readContent(raw);
    return name === undefined ? { role: known, parts, raw } : { role: known, parts, name, raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'record') return raw;
    const result = message.parts.find((part) => part.type === 'result');
    if (result !== undefined) return patch(raw, { ...resultId(result), content: writeContent(result.content, raw.get('content')) });
    const gone = (key: string) => !message.parts.some((part) => isField(part, raw, key));
    const fields: Record<string, Json | undefined> = { content: writeContent(message.parts.filter(isContent), raw.get('content')) };
    for (const key of REASONING) if (readField(raw, key) !== undefined && gone(key)) fields[key] = undefined;
    return patch(raw, { ...fields, ...writeCalls(message.parts.filter(isCall), raw) });
  },
  describe(record): Description {
    const among = (key: string) => [record, record.get('request'), record.get('response'), record.get('item')].find((node) => node !== undefined && present(node, key) !== undefined)?.get(key);
    const model = among('model')?.string;
    const id = ['id', 'task_id', 'custom_id', 'instance_id', 'run_id'].map((key) => present(record, key)).find((node) => node !== undefined && !node.isObject && !node.isArray)?.text;
    const tools = among('tools');
    return { id, model, tools: tools?.isArray ? tools : undefined };
  },
});

// --- reading

function readContent(raw: JsonNode): ContentPart[] {
  const content = present(raw, 'content');
  if (content === undefined) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, 'content', 'a string, null or an array of parts');
  return content.items().map((item, index) => readBlock(item, index));
}

function readBlock(item: JsonNode, index: number): ContentPart {
  if (item.isString) return { type: 'text', text: item, raw: item };
  if (!item.isObject) return wrongType(item, `content[${index}]`, 'an object');
  const type = item.get('type')?.string;
  if (type === 'text') {
    const text = item.get('text') ?? item.get('value');
    return text?.isString ? { type: 'text', text, raw: item } : wrongType(text ?? item, `content[${index}].text`, 'a string');
  }
  const kind = type === undefined ? undefined : MEDIA[type];
  return kind === undefined ? { type: 'opaque', text: item, raw: item } : { type: 'media', kind, raw: item };
}

function readThinking(raw: JsonNode): ThinkingPart[] {
  return REASONING.flatMap((key) => {
    const text = readField(raw, key);
    return text === undefined ? [] : [{ type: 'thinking', text, raw: text }];
  });
}

function readRefusal(raw: JsonNode): ContentPart[] {
  const refusal = readField(raw, 'refusal');
  return refusal === undefined ? [] : [{ type: 'opaque', text: refusal, raw: refusal }];
}

/** A member that holds text, where it does. */
function readField(raw: JsonNode, key: string): JsonNode | undefined {
  const member = raw.get(key);
  return member?.isString && member.byteLength > 0 ? member : undefined;
}

function readCalls(raw: JsonNode): CallPart[] {
  const calls = optionalObjects(raw, 'tool_calls').map((call, index) => readCall(call, `tool_calls[${index}]`));
  const legacy = present(raw, 'function_call');
  if (legacy === undefined) return calls;
  if (!legacy.isObject) return wrongType(legacy, 'function_call', 'an object');
  return [...calls, { type: 'call', callId: undefined, ...readFunction(legacy, 'function_call', 'arguments'), legacy: true, raw: legacy }];
}

function readCall(call: JsonNode, path: string): CallPart {
  const callId = optionalString(call, 'id') ?? '';
  const custom = present(call, 'custom');
  if (custom !== undefined) return { type: 'call', callId, ...readFunction(custom, `${path}.custom`, 'input'), raw: call };
  const called = present(call, 'function');
  if (called === undefined || !called.isObject) return wrongType(called ?? call, `${path}.function`, 'an object');
  return { type: 'call', callId, ...readFunction(called, `${path}.function`, 'arguments'), raw: call };
}

function readFunction(called: JsonNode, path: string, key: 'arguments' | 'input'): { tool: string; input: JsonNode | string } {
  const name = present(called, 'name');
  if (name !== undefined && !name.isString) wrongType(name, `${path}.name`, 'a string');
  return { tool: name?.text ?? '', input: present(called, key) ?? '' };
}

function readResult(raw: JsonNode, legacy: boolean, name: string | undefined): ResultPart {
  const result = { type: 'result', content: readContent(raw), ...(name === undefined ? {} : { tool: name }), raw } as const;
  if (legacy) return { ...result, callId: undefined, legacy };
  // SWE-agent writes the ids as a list of one.
  const callId = optionalString(raw, 'tool_call_id') ?? raw.get('tool_call_ids')?.items()[0]?.string ?? '';
  return { ...result, callId };
}

// --- writing

function writeContent(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray)
    return patchItems(
      old,
      parts.map((part) => (part.raw instanceof JsonNode ? writeBlock(part, part.raw) : freshBlock(part))),
    );
  const [first] = parts;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  return parts.length === 1 && first.type === 'text' ? json(first.text) : parts.map(freshBlock);
}

function writeBlock(part: ContentPart, raw: JsonNode): Json {
  if (part.type !== 'text') return raw;
  if (raw.isString) return json(part.text);
  return patch(raw, { [raw.get('text') === undefined ? 'value' : 'text']: json(part.text) });
}

function freshBlock(part: ContentPart): Json {
  return part.type === 'text' ? { type: 'text', text: json(part.text) } : part.raw instanceof JsonNode ? part.raw : { type: part.type };
}

function writeCalls(calls: readonly CallPart[], raw: JsonNode): JsonFields {
  const list = present(raw, 'tool_calls');
  const legacy = calls.find((call) => call.legacy);
  const items = calls.filter((call) => !call.legacy).map((call) => (call.raw instanceof JsonNode ? writeCall(call, call.raw) : freshCall(call)));
  const fields: Record<string, Json | undefined> = {};
  if (list !== undefined) fields['tool_calls'] = items.length === 0 && list.items().length > 0 ? undefined : patchItems(list, items);
  else if (items.length > 0) fields['tool_calls'] = items;
  if (present(raw, 'function_call') !== undefined && legacy === undefined) fields['function_call'] = undefined;
  return fields;
}

function writeCall(call: CallPart, raw: JsonNode): Json {
  const custom = raw.get('custom');
  const key = custom === undefined ? 'function' : 'custom';
  const called = raw.get(key)!;
  const input = key === 'custom' ? 'input' : 'arguments';
  const value = called.get(input)?.isString === false ? jsonValue(call.input) : json(call.input);
  const id = call.callId === '' ? {} : { id: call.callId };
  return patch(raw, { ...id, [key]: patch(called, called.get(input) === undefined && call.input === '' ? {} : { [input]: value }) });
}

function freshCall(call: CallPart): Json {
  return { id: call.callId ?? '', type: 'function', function: { name: call.tool, arguments: json(call.input) } };
}

function resultId(result: ResultPart): JsonFields {
  const raw = result.raw;
  if (!(raw instanceof JsonNode) || result.callId === undefined || result.callId === '') return {};
  const ids = raw.get('tool_call_ids');
  if (present(raw, 'tool_call_id') === undefined && ids?.isArray) return ids.items()[0]?.string === result.callId ? {} : { tool_call_ids: patchItems(ids, [result.callId, ...ids.items().slice(1)]) };
  return { tool_call_id: result.callId };
}

function fresh(message: Message): Json {
  const { role, parts, name } = message;
  const [result] = parts.filter((part) => part.type === 'result');
  if (result !== undefined) {
    const content = writeContent(result.content, undefined) ?? '';
    if (result.legacy || result.callId === undefined) return { role: 'function', name: result.tool ?? '', content };
    return { role: 'tool', tool_call_id: result.callId, name: result.tool, content };
  }
  const calls = parts.filter(isCall);
  return {
    role: role === 'record' ? 'user' : role,
    name,
    content: writeContent(parts.filter(isContent), undefined) ?? null,
    tool_calls: calls.length === 0 ? undefined : calls.map(freshCall),
  };
}

/** The parts that stand in `content`: not a refusal or reasoning, which stand beside it. */
function isContent(part: Part): part is ContentPart {
  if (part.type !== 'text' && part.type !== 'media' && part.type !== 'opaque') return false;
  return !(part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isString);
}

function isCall(part: Part): part is CallPart {
  return part.type === 'call';
}

function isField(part: Part, raw: JsonNode, key: string): boolean {
  return part.type === 'thinking' && raw.get(key)?.is(part.raw) === true;
}
