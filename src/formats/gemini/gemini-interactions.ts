/**
 * Google's Interactions API: a list of steps. What the user and the model say, thoughts, calls and results are separate
 * steps; a result names its call in `call_id`. An `input` can also be a text, or contents without a step around them.
 * What Google ran (search, code, MCP) are two steps, which stay as they are. An interaction that names an earlier one
 * (`previous_interaction_id`) holds only what is new.
 * https://ai.google.dev/gemini-api/docs/interactions and the types of `@google/genai` 2.32.0 (2026-12-01)
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { longest } from '../../transcript/text.js';
import type { ContentPart, Message, Part, Recorded, ResultPart, Role, ThinkingPart } from '../../transcript/types.js';
import { GOOGLE_FILES, LONGEST_NAME } from '../encode.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { callReply } from '../shared/call-reply.js';
import {
  firstPresent,
  json,
  jsonValue,
  optionalObjects,
  optionalString,
  present,
  stringOf,
} from '../shared/json-fields.js';
import {
  idField,
  isCall,
  isContent,
  isResult,
  joinedString,
  readContent,
  readMedia,
  readText,
  writeContent,
} from '../shared/parts.js';
import { responseInfo, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { INTERACTION_PARAMETERS } from './interaction-parameters.js';
import { withThoughts } from './thoughts.js';

const ROLES = table<Role>({ user_input: 'user', model_output: 'assistant' });
const MEDIA = table<'image' | 'audio' | 'file'>({ image: 'image', audio: 'audio', video: 'file', document: 'file' });
/** Steps of tools that Google ran. */
const SERVED = /^(?!function_)[a-z_]+_(?:call|result)$/;
/** Members of a request that no other body with an `input` has. */
const OWN_KEYS = ['previous_interaction_id', 'system_instruction', 'generation_config', 'response_modalities', 'agent'];
const OWN_MODEL = /^(?:models\/)?(?:gemini|gemma|deep-research)/;
/** Those of OpenAI Responses, to which gateways also send models of Google's. */
const FOREIGN_KEYS = ['instructions', 'previous_response_id', 'max_output_tokens', 'reasoning', 'text'];

const PATHS = callPaths({ request: ['=system_instruction?', 'input'], response: 'steps' });
const TEXT_PATHS = callPaths({ request: ['=system_instruction?', '~input'], response: 'steps' });

export default defineFormat({
  id: 'gemini-interactions',
  traits: { piecesStandAlone: true, flagsErrors: true },
  byteHints: { toolCalls: ['"function_'] },
  messagePaths: [
    ...PATHS.pairs,
    ...TEXT_PATHS.pairs,
    '=system_instruction? + input > steps',
    '=system_instruction? + ~input > steps',
    '=system_instruction? + input',
    '=system_instruction? + ~input',
    ...PATHS.requests,
    ...TEXT_PATHS.requests,
    ...PATHS.responses,
  ],
  claimsRecord(record) {
    const { request = record, response = record } = callIn(record) ?? {};
    return isInteraction(response) || isRequest(request);
  },
  score(raw) {
    const type = raw.get('type')?.string ?? '';
    if (type in ROLES) return raw.get('content') === undefined || raw.get('content')!.isArray ? 1 : 0;
    if (type === 'function_call') return isStep(raw, 'id') && raw.get('arguments')?.isObject ? 0.95 : 0;
    if (type === 'function_result') return isStep(raw, 'call_id') && raw.get('result') !== undefined ? 1 : 0;
    if (type === 'thought') return (raw.get('signature') ?? raw.get('summary')) === undefined ? 0 : 0.9;
    if (SERVED.test(type)) return isStep(raw, type.endsWith('_call') ? 'id' : 'call_id') ? 0.7 : 0;
    if (type === 'text') return raw.get('text')?.isString ? 0.5 : 0;
    return type in MEDIA && (raw.get('data') ?? raw.get('uri'))?.isString ? 0.6 : 0;
  },
  read(raw, isBeside) {
    if (!raw.isObject)
      return { role: isBeside === false ? 'user' : 'system', parts: readContent(raw, 'input', readBlock), raw };
    const type = optionalString(raw, 'type') ?? '';
    const role = ROLES[type];
    if (role !== undefined) return { role, parts: readContent(raw.get('content'), 'content', readBlock), raw };
    if (type === 'thought') return { role: 'assistant', parts: readThought(raw), raw };
    if (type === 'function_call') {
      const tool = optionalString(raw, 'name') ?? '';
      const input = present(raw, 'arguments') ?? '{}';
      return {
        role: 'assistant',
        parts: [{ type: 'call', callId: optionalString(raw, 'id') ?? '', tool, input, raw }],
        raw,
      };
    }
    if (type === 'function_result') return { role: 'tool', parts: [readResult(raw)], raw };
    if (type === 'text' || type in MEDIA) return { role: 'user', parts: [readBlock(raw, '')], raw };
    return SERVED.test(type)
      ? { role: 'assistant', parts: [{ type: 'opaque', text: raw, raw }], raw }
      : { role: 'meta', parts: [], raw };
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return freshStep(message);
    if (role === 'meta') return raw;
    if (!raw.isObject) return parts.every(({ type }) => type === 'text') ? joinedString(parts) : freshStep(message);
    return editedStep(message, raw);
  },
  describe(record) {
    const call = callIn(record);
    const around = [record, call?.request, call?.response];
    const tools = firstPresent(around, 'tools');
    return {
      id: call?.id ?? firstPresent([call?.response, record], 'id')?.string,
      model: firstPresent(around, 'model', 'agent')?.string,
      tools: tools?.isArray ? tools : undefined,
      reply: callReply(record, recordedIn),
    };
  },
  encode: {
    messages: 'input',
    model: 'model',
    parameters: INTERACTION_PARAMETERS,
    system: { key: 'system_instruction', write: (text) => text, cannotBeMessage: true },
    tools: (definitions, entries) => ({
      tools: [...definitions.map((definition) => ({ type: 'function', ...definition })), ...entries],
    }),
    isOwnTool: (entry) => entry.get('type')?.isString === true && entry.get('function') === undefined,
    media: ({ kind, type, base64, url }) => ({
      type: kind === 'file' ? (type?.startsWith('video/') ? 'video' : 'document') : kind,
      mime_type: type,
      ...(base64 === undefined ? { uri: url } : { data: base64 }),
    }),
    mediaFrom: ['user', 'tool'],
    opens: GOOGLE_FILES,
    objectArgumentsOnly: true,
    acceptsNames: false,
    resultNeedsToolName: true,
    notInNames: /[^a-zA-Z0-9_.:-]/gu, // as in https://ai.google.dev/api/caching#FunctionDeclaration, 2026-11
    longestName: LONGEST_NAME,
    canReuse: (raw, kind) => kind === 'item' && raw.isObject && !raw.members().some(({ value }) => value.isNull),
  },
});

function isStep(raw: JsonNode, id: string): boolean {
  return raw.get(id)?.isString === true;
}

/** Whether a value is an interaction, as the API returns it. */
function isInteraction(value: JsonNode): boolean {
  return value.get('steps')?.isArray === true && (value.get('status') ?? value.get('object'))?.isString === true;
}

function isRequest(body: JsonNode): boolean {
  if (body.get('input') === undefined) return false;
  const has = (keys: readonly string[]) => keys.some((key) => body.get(key) !== undefined);
  return has(OWN_KEYS) || (OWN_MODEL.test(body.get('model')?.string ?? '') && !has(FOREIGN_KEYS));
}

/** What an interaction records: input includes what was cached, and neither thoughts nor the prompts of tools. */
function recordedIn(response: JsonNode): Recorded | undefined {
  const counts = response.get('usage');
  const count = (key: string) => tokens(counts, `total_${key}_tokens`) ?? 0;
  if (tokens(counts, 'total_input_tokens') === undefined) return undefined;
  const [cacheRead, thoughts] = [count('cached'), count('thought')];
  const prompt = count('input') + count('tool_use');
  const total = tokens(counts, 'total_tokens');
  const usage = usageOf({
    input: Math.max(0, prompt - cacheRead),
    cacheRead,
    output: withThoughts(count('output'), { prompt, thoughts, total }),
    reasoning: thoughts,
  });
  const info = responseInfo(response, usage, undefined);
  return info && { ...info, requestId: undefined, time: timeOf(response.get('created')) };
}

// --- reading

function readBlock(block: JsonNode, path: string): ContentPart {
  const type = block.isString ? 'text' : (optionalString(block, 'type') ?? '');
  if (block.isString) return { type: 'text', text: block, raw: block };
  return type === 'text' ? readText('text', block, 'text', path) : readMedia(block, MEDIA[type]);
}

/** A thought without a summary is hidden in its signature. */
function readThought(raw: JsonNode): Part[] {
  const summary = optionalObjects(raw, 'summary').map((item): Part => {
    const text = item.get('text');
    return text?.isString ? { type: 'thinking', text, raw: item } : { type: 'opaque', text: item, raw: item };
  });
  return summary.length > 0 ? summary : [{ type: 'thinking', text: '', raw }];
}

/** A result is a text, a list of contents, or any object. */
function readResult(raw: JsonNode): ResultPart {
  const result = present(raw, 'result');
  const isError = present(raw, 'is_error')?.boolean;
  return {
    type: 'result',
    callId: optionalString(raw, 'call_id') ?? '',
    tool: optionalString(raw, 'name'),
    content: result?.isArray || result?.isString ? readContent(result, 'result', readBlock) : valueIn(result),
    ...(isError === undefined ? {} : { isError }),
    raw,
  };
}

function valueIn(result: JsonNode | undefined): ContentPart[] {
  return result === undefined ? [] : [{ type: 'text', text: result, raw: result }];
}

// --- writing

function editedStep(message: Message, raw: JsonNode): Json {
  const { parts } = message;
  const type = optionalString(raw, 'type') ?? '';
  if (type in ROLES) return patch(raw, { content: writeBlocks(parts.filter(isContent), raw.get('content')) });
  if (type === 'thought') return patch(raw, { summary: writeSummary(parts, present(raw, 'summary')) });
  const [call, result] = [parts.find(isCall), parts.find(isResult)];
  if (type === 'function_call' && call !== undefined)
    return patch(raw, { ...idField('id', call), arguments: jsonValue(call.input) });
  if (type === 'function_result' && result !== undefined)
    return patch(raw, { ...idField('call_id', result), ...flag(result), result: writeResult(result, raw) });
  if (type !== 'text' && !(type in MEDIA)) return parts.some((part) => part.raw === raw) ? raw : freshStep(message);
  const [only] = parts;
  return parts.length === 1 && isContent(only!) ? writeBlock(only) : freshStep(message);
}

function flag({ isError, raw }: ResultPart): JsonFields {
  const old = raw instanceof JsonNode ? raw.get('is_error') : undefined;
  if (isError === undefined) return old === undefined ? {} : { is_error: undefined };
  return old?.boolean === isError ? {} : { is_error: isError };
}

function writeResult({ content }: ResultPart, raw: JsonNode): Json | undefined {
  const old = present(raw, 'result');
  const [only] = content;
  if (content.length === 1 && only!.type === 'text' && !old?.isArray) return json(only!.text);
  return writeBlocks(content, old?.isArray ? old : undefined) ?? '';
}

function writeSummary(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const left = parts.filter((part) => part.raw instanceof JsonNode && old?.encloses(part.raw));
  return old && patchItems(old, left.map(writeThought));
}

function writeThought(part: Part): Json {
  const raw = part.raw as JsonNode;
  return part.type === 'thinking' ? patch(raw, { text: json(part.text) }) : raw;
}

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray !== true && parts.length > 0) return parts.map(writeBlock);
  return writeContent(parts, old, writeBlock);
}

function writeBlock(part: ContentPart): Json {
  const { raw } = part;
  if (part.type !== 'text')
    return raw instanceof JsonNode || part.raw !== undefined ? (raw as Json) : { type: part.type };
  const isBlock = raw instanceof JsonNode && raw.get('type')?.string === 'text';
  return isBlock ? patch(raw, { text: json(part.text) }) : { type: 'text', text: stringOf(part.text) };
}

/** A step for a message that was added. A system instruction is no step, but a text. */
function freshStep({ role, parts }: Message): Json {
  if (role === 'system') return joinedString(parts);
  const [call, result] = [parts.find(isCall), parts.find(isResult)];
  if (result !== undefined) return freshResult(result);
  if (call !== undefined)
    return { type: 'function_call', id: call.callId ?? '', name: call.tool, arguments: jsonValue(call.input) };
  const thoughts = parts.filter((part): part is ThinkingPart => part.type === 'thinking');
  if (thoughts.length > 0) {
    const said = thoughts.filter(({ text }) => longest(text) > 0);
    return { type: 'thought', summary: said.map(({ text }) => ({ type: 'text', text: json(text) })) };
  }
  const [first] = parts;
  if (first?.type === 'opaque' && first.raw instanceof JsonNode && SERVED.test(first.raw.get('type')?.string ?? ''))
    return first.raw;
  return {
    type: role === 'assistant' ? 'model_output' : 'user_input',
    content: parts.filter(isContent).map(writeBlock),
  };
}

function freshResult({ callId, tool, content, isError }: ResultPart): Json {
  const [only] = content;
  const result = content.length === 1 && only!.type === 'text' ? json(only!.text) : content.map(writeBlock);
  return {
    type: 'function_result',
    name: tool,
    call_id: callId ?? '',
    result: content.length === 0 ? '' : result,
    is_error: isError,
  };
}
