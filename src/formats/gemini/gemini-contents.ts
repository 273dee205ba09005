/**
 * Gemini contents: a message is `{role, parts}`. Calls are `functionCall` parts of the model; their results are
 * `functionResponse` parts of one user message. Most calls have no ids and pair by name and order. Keys are in
 * camelCase or snake_case. Events of an ADK session hold a content in `content`, streamed responses in their first
 * candidate.
 * https://ai.google.dev/api/caching#Content
 * https://github.com/google/adk-python/blob/main/src/google/adk/events/event.py
 */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { greatest } from '../../lists.js';
import { onceFor } from '../../once.js';
import type { Message, Part, Recorded, Role, TextPart } from '../../transcript/types.js';
import { GOOGLE_FILES, LONGEST_NAME } from '../encode.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { geminiBilling } from '../shared/billing.js';
import { callReply, messagelessCalls } from '../shared/call-reply.js';
import { firstPresent, json, objectsIn, present, stringIn, wrongType } from '../shared/json-fields.js';
import { isCount, recordedOf, timeOf, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { GEMINI_PARAMETERS } from './gemini-parameters.js';
import {
  CALL,
  keyIn,
  partsIn,
  putParts,
  RESPONSE,
  readPart,
  type Spelling,
  textAsJson,
  usesSnakeCase,
  writePart,
  writeParts,
} from './gemini-parts.js';
import { withGeminiMedia } from './media-tokens.js';
import { withThoughts } from './thoughts.js';

const ROLES = table<Role>({ user: 'user', model: 'assistant', function: 'user', system: 'system' });
const PATHS = callPaths({
  request: ['=systemInstruction?', '=system_instruction?', 'contents'],
  response: 'candidates[0].content',
});

export default defineFormat({
  id: 'gemini-contents',
  traits: { resultsShareMessage: true, flagsErrors: true, rolesAlternate: true, userBegins: true },
  byteHints: { toolCalls: ['"func', '"execut', '"code'] },
  messagePaths: [
    ...PATHS.pairs,
    `${systemPaths('request.')}request.contents > response`,
    `${systemPaths('')}${systemPaths('config.')}contents`,
    ...PATHS.requests,
    'events',
    ...PATHS.responses,
    '> response',
  ],
  envelope: messagelessCalls,
  score(raw) {
    const content = contentIn(raw);
    // Below the score of the content inside: if a path leads there, that is the message.
    if (raw.get('candidates')?.isArray) return 0.9;
    if (raw.get('object')?.string === 'interaction') return -1;
    if (content === undefined) return isEvent(raw) ? 0.9 : 0;
    const role = content.get('role')?.string;
    const parts = present(content, 'parts');
    if (parts === undefined) return role === 'model' && content.get('content') === undefined ? 0.6 : 0;
    const items = partsIn(content);
    if (items === undefined || (role === undefined ? content.get('role') !== undefined : !(role in ROLES))) return 0;
    if (items.some((part) => part.get('type') !== undefined)) return -1;
    if (items.some((part) => !part.isObject)) return items[0]!.isObject ? 0.3 : 0;
    if (role === undefined) return 0.6;
    return role === 'user' ? 0.9 : 1;
  },
  read(raw, isBeside) {
    if (isBeside) return { role: 'system', parts: readInstruction(raw), raw };
    const content = contentIn(raw);
    const around = raw.get('content');
    if (content === undefined)
      return around === undefined || around.isNull
        ? { role: 'meta', parts: [], raw }
        : wrongType(around, 'content', 'an object');
    const holder = around === undefined ? 'candidates[0].content.' : 'content.';
    const path = content === raw ? '' : holder;
    const roleName = stringIn(content.get('role'), `${path}role`);
    const role = roleName === undefined ? undefined : ROLES[roleName];
    if (roleName !== undefined && role === undefined) return { role: 'meta', parts: [], raw };
    const list = content.get('parts');
    const items = list?.isObject ? [list] : objectsIn(list, `${path}parts`);
    const parts = items.map((part, index) => readPart(part, `${path}parts[${index}]`));
    const calls = parts.some((part) => part.type === 'call');
    if (!calls && parts.some((part) => part.type === 'result')) return { role: 'tool', parts, raw };
    const isReply = calls || parts.some((part) => part.type === 'thinking') || raw.get('candidates') !== undefined;
    return { role: role ?? (isReply ? 'assistant' : 'user'), parts, raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return { role: roleName(message), parts: message.parts.map((part) => writePart(part)) };
    if (message.role === 'meta') return raw;
    const content = contentIn(raw);
    if (content === undefined) return writeInstruction(message.parts, raw);
    const list = present(content, 'parts');
    const spelling = spellingOf(raw, list);
    const written = writeParts(message.parts, list, spelling);
    const parts = list === undefined ? written : putParts(list, written);
    if (parts === list || (list === undefined && written.length === 0)) return raw;
    return putBack(
      raw,
      content,
      patch(content, {
        parts,
        ...(content.get('role') === undefined && message.role !== 'system' ? { role: roleName(message) } : {}),
      }),
    );
  },
  describe(record) {
    const { id, request = record.get('request'), response = record.get('response') } = callIn(record) ?? {};
    const holders = [record, request, response?.items()[0] ?? response].filter((node) => node !== undefined);
    const first = (keys: readonly string[], fits: (node: JsonNode) => boolean) => firstMember(holders, keys, fits);
    return {
      reply: response?.isArray ? recordedIn(fullestOf(record)) : callReply(record, recordedIn),
      id: id ?? first(ID_KEYS, isString)?.string,
      model: modelNamed(first(NAMES_OF_MODEL, isString)),
      tools:
        first(TOOLS, isArray) ?? holders.map((node) => node.get('config')?.get('tools')).find((node) => node?.isArray),
    };
  },
  encode: {
    messages: 'contents',
    model: 'model',
    parameters: GEMINI_PARAMETERS,
    joinsTexts: ['result'],
    system: { key: 'systemInstruction', write: (text) => ({ parts: [{ text }] }), cannotBeMessage: true },
    tools(definitions, entries) {
      const functionDeclarations = definitions.map(({ name, description, parameters: parametersJsonSchema }) => {
        return { name, description, parametersJsonSchema };
      });
      return { tools: [...(definitions.length === 0 ? [] : [{ functionDeclarations }]), ...entries] };
    },
    isOwnTool: (entry) => entry.isObject && entry.get('name') === undefined && entry.get('type') === undefined,
    media: ({ type, base64, url }) =>
      base64 === undefined
        ? { fileData: { mimeType: type, fileUri: url } }
        : { inlineData: { mimeType: type ?? 'application/octet-stream', data: base64 } },
    opens: GOOGLE_FILES,
    joinsTurns: true,
    objectArgumentsOnly: true,
    notInNames: /[^a-zA-Z0-9_.:-]/gu, // https://ai.google.dev/api/caching#FunctionDeclaration, 2026-11
    longestName: LONGEST_NAME,
    resultNeedsToolName: true,
    canReuse(raw, kind) {
      const [call, response] = [keyIn(raw, CALL), keyIn(raw, RESPONSE)];
      if (kind === 'call') return call !== undefined && raw.get(call)!.get('name')?.isString === true;
      if (kind !== 'result') return raw.isObject;
      const answered = response === undefined ? undefined : raw.get(response);
      return answered?.get('name')?.isString === true && answered.get('response')?.isObject === true;
    },
  },
  recorded(raw, record) {
    const isPiece = record?.get('response')?.isArray === true && !raw.is(fullestOf(record));
    return isPiece ? recordedOf({ ...recordedIn(raw), usage: undefined, billing: undefined }) : recordedIn(raw);
  },
});

const ID_KEYS = ['id', 'responseId', 'response_id'];
const MODEL_KEYS = ['modelVersion', 'model_version'];
const NAMES_OF_MODEL = [...MODEL_KEYS, 'model'];
const TOOLS = ['tools'];
const isString = (node: JsonNode) => node.isString;
const isArray = (node: JsonNode) => node.isArray;

/** The first member under any of the keys that fits, searched value by value. */
function firstMember(holders: readonly JsonNode[], keys: readonly string[], fits: (node: JsonNode) => boolean) {
  for (const holder of holders)
    for (const key of keys) {
      const member = holder.get(key);
      if (member !== undefined && fits(member)) return member;
    }
  return undefined;
}

/** The piece of a record's streamed response with the whole usage: that of each piece is the usage so far. */
const fullestOf = onceFor((record: JsonNode): JsonNode | undefined => {
  const pieces = (callIn(record)?.response ?? record.get('response')!).items();
  const outputs = pieces.map((piece) => recordedIn(piece)?.usage?.output ?? -1);
  return pieces[outputs.lastIndexOf(greatest(outputs))];
});

/**
 * Usage of a response or event: the prompt includes cache reads, the candidates exclude thoughts.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
function recordedIn(raw: JsonNode | undefined): Recorded | undefined {
  if (raw === undefined || !raw.find(RECORDED).some((at) => at >= 0)) return undefined;
  const counts = firstPresent([raw], 'usageMetadata', 'usage_metadata');
  const count = (...keys: string[]) => {
    const figure = firstPresent([counts], ...keys)?.number;
    return isCount(figure) ? figure : 0;
  };
  const cacheRead = count('cachedContentTokenCount', 'cached_content_token_count');
  const thoughts = count('thoughtsTokenCount', 'thoughts_token_count');
  const total = count('totalTokenCount', 'total_token_count') || undefined;
  const prompt =
    count('promptTokenCount', 'prompt_token_count') + count('toolUsePromptTokenCount', 'tool_use_prompt_token_count');
  const read =
    counts &&
    usageOf({
      input: Math.max(0, prompt - cacheRead),
      cacheRead,
      output: withThoughts(count('candidatesTokenCount', 'candidates_token_count'), { prompt, thoughts, total }),
      reasoning: thoughts,
    });
  const usage = read && withGeminiMedia(read, counts);
  const model = modelNamed(firstPresent([raw], ...MODEL_KEYS));
  return recordedOf({
    responseId: firstPresent([raw], 'responseId', 'response_id')?.string,
    model,
    time: timeOf(firstPresent([raw], 'timestamp', 'createTime', 'create_time')),
    usage,
    billing: usage && geminiBilling(raw, model),
  });
}

/** What is recorded stands in one of these. */
const RECORDED = new Keys([
  ...['usageMetadata', 'usage_metadata', 'responseId', 'response_id', ...MODEL_KEYS],
  ...['timestamp', 'createTime', 'create_time'],
]);

/** Vertex AI appends `@default` to a model's name. */
function modelNamed(node: JsonNode | undefined): string | undefined {
  return node?.string?.replace(/@default$/, '');
}

/** Message paths of the system instruction, in both spellings. */
function systemPaths(path: string): string {
  return `=${path}systemInstruction? + =${path}system_instruction? + `;
}

/** The content of an event or response, or the value itself. */
function contentIn(raw: JsonNode): JsonNode | undefined {
  if (raw.get('parts') !== undefined || raw.get('role') !== undefined) return raw;
  const content = raw.get('content') ?? raw.get('candidates')?.items()[0]?.get('content');
  return content?.isObject ? content : undefined;
}

/** Puts an edited content back into its event or response. */
function putBack(raw: JsonNode, content: JsonNode, written: Json): Json {
  if (content === raw) return written;
  if (raw.get('content') !== undefined) return patch(raw, { content: written });
  const candidates = raw.get('candidates')!;
  const [first, ...rest] = candidates.items();
  return patch(raw, { candidates: patchItems(candidates, [patch(first!, { content: written }), ...rest]) });
}

function isEvent(raw: JsonNode): boolean {
  return (
    raw.get('author') !== undefined && (present(raw, 'invocationId') ?? present(raw, 'invocation_id')) !== undefined
  );
}

// --- reading

/** Reads a system instruction: a content, its parts alone, or a text. */
function readInstruction(raw: JsonNode): Part[] {
  if (raw.isString) return [{ type: 'text', text: raw, raw }];
  const parts = raw.isArray ? raw : (raw.get('parts') ?? raw);
  return (parts.isObject ? [parts] : parts.items()).map((part, index) =>
    part.isString ? { type: 'text', text: part, raw: part } : readPart(part, `parts[${index}]`),
  );
}

// --- writing

/** The spelling for added keys: that of the event or of the other parts. */
function spellingOf(raw: JsonNode, parts: JsonNode | undefined): Spelling {
  return raw.get('invocation_id') !== undefined || parts?.items().some(usesSnakeCase) ? 'snake' : 'camel';
}

function roleName({ role }: Message): string {
  if (role === 'assistant') return 'model';
  return role === 'system' ? role : 'user';
}

/** Writes a system instruction in the shape it was read from. */
function writeInstruction(parts: readonly Part[], raw: JsonNode): Json {
  if (raw.isString) return textAsJson(parts.filter((part): part is TextPart => part.type === 'text'));
  const written = parts.map((part) =>
    part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString ? json(part.text) : writePart(part),
  );
  return putParts(raw, written);
}
