/**
 * Google's Interactions API: a list of steps. What the user and the model say, thoughts, calls and results are separate
 * steps; a result names its call in `call_id`. An `input` can also be a text, or contents without a step around them.
 * What Google ran (search, code, MCP) are two steps, which stay as they are. An interaction that names an earlier one
 * (`previous_interaction_id`) holds only what is new.
 * https://ai.google.dev/gemini-api/docs/interactions and the types of `@google/genai` 2.32.0 (2026-12-01)
 */
import type { JsonNode } from '../../json/node.js';
import type { ContentPart, Part, Recorded, ResultPart } from '../../transcript/types.js';
import { GOOGLE_FILES, LONGEST_NAME } from '../encode.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { callReply } from '../shared/call-reply.js';
import { firstPresent, optionalObjects, optionalString, present } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { responseInfo, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { INTERACTION_PARAMETERS } from './interaction-parameters.js';
import { MEDIA, ROLES, SERVED } from './interaction-steps.js';
import { writeStep } from './interaction-write.js';
import { withThoughts } from './thoughts.js';

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
  write: writeStep,
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
    canReuse: (raw, kind) => kind === 'item' && [raw, ...(raw.get('content')?.items() ?? [])].every(isWithoutNulls),
  },
});

function isStep(raw: JsonNode, id: string): boolean {
  return raw.get(id)?.isString === true;
}

/** The API's SDK for Python writes what is not set as null, which the API's types have nowhere. */
function isWithoutNulls(value: JsonNode): boolean {
  return value.isObject && !value.members().some((member) => member.value.isNull);
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
