/**
 * Gemini contents: a message is `{role, parts}`, a call is a `functionCall` part of the model, the results of its calls are
 * `functionResponse` parts of one user message. Calls mostly have no ids and pair by name and order.
 * https://ai.google.dev/api/caching#Content
 * The events of an ADK session hold one in `content`, streamed responses in their first candidate; keys are in camelCase or
 * snake_case. https://github.com/google/adk-python/blob/main/src/google/adk/events/event.py
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  TextPart,
} from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import {
  firstPresent,
  json,
  jsonValue,
  objectsIn,
  optionalString,
  present,
  stringIn,
  stringOf,
  wrongType,
} from '../shared/json-fields.js';
import { mediaKind } from '../shared/parts.js';
import { isCount, recordedOf, timeOf, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({
  user: 'user',
  model: 'assistant',
  function: 'user',
  system: 'system',
});
type Spellings = readonly [camel: string, snake: string];
const CALL: Spellings = ['functionCall', 'function_call'];
const RESPONSE: Spellings = ['functionResponse', 'function_response'];
const INLINE: Spellings = ['inlineData', 'inline_data'];
const FILE: Spellings = ['fileData', 'file_data'];
const MIME: Spellings = ['mimeType', 'mime_type'];
const INVOCATION: Spellings = ['invocationId', 'invocation_id'];
const MODEL: Spellings = ['modelVersion', 'model_version'];
/** Where a response is one text: the documented names, those of the SDKs, pydantic-ai's. https://ai.google.dev/api/caching#FunctionResponse */
const TEXTS = new Set(['output', 'error', 'result', 'content', 'return_value']);

export default defineFormat({
  id: 'gemini-contents',
  traits: { resultsShareMessage: true, flagsErrors: true },
  byteHints: { toolCalls: ['"func', '"execut', '"code'] },
  messagePaths: [
    `${besideIn('request.')}request.contents > response.candidates[0].content`,
    `${besideIn('request.')}request.contents > response`,
    `${besideIn('')}${besideIn('config.')}contents`,
    `${besideIn('request.')}request.contents`,
    `${besideIn('body.')}body.contents`,
    'events',
    '> candidates[0].content',
    '> response.candidates[0].content',
    '> response',
  ],
  score(raw) {
    const content = contentIn(raw);
    if (raw.get('candidates')?.isArray) return 0.9; // less than what it holds: where that can be told alone, it is the message
    if (content === undefined) return isEvent(raw) ? 0.9 : 0;
    const role = content.get('role')?.string;
    const parts = present(content, 'parts');
    if (parts === undefined) return role === 'model' && content.get('content') === undefined ? 0.6 : 0;
    if (!parts.isArray || (role === undefined ? content.get('role') !== undefined : !(role in ROLES))) return 0;
    const items = parts.items();
    if (items.some((part) => part.get('type') !== undefined)) return -1;
    if (items.some((part) => !part.isObject)) return items[0]!.isObject ? 0.3 : 0;
    return role === undefined ? 0.6 : role === 'user' ? 0.9 : 1;
  },
  read(raw, isBeside) {
    if (isBeside) return { role: 'system', parts: readInstruction(raw), raw };
    const content = contentIn(raw);
    const around = raw.get('content');
    if (content === undefined)
      return around === undefined || around.isNull
        ? { role: 'meta', parts: [], raw }
        : wrongType(around, 'content', 'an object');
    const path = content === raw ? '' : around === undefined ? 'candidates[0].content.' : 'content.';
    const said = stringIn(content.get('role'), `${path}role`);
    const role = said === undefined ? undefined : ROLES[said];
    if (said !== undefined && role === undefined) return { role: 'meta', parts: [], raw };
    const parts = objectsIn(content.get('parts'), `${path}parts`).map((part, index) =>
      readPart(part, `${path}parts[${index}]`),
    );
    const calls = parts.some((part) => part.type === 'call');
    if (!calls && parts.some((part) => part.type === 'result')) return { role: 'tool', parts, raw };
    const isModels = calls || parts.some((part) => part.type === 'thinking') || raw.get('candidates') !== undefined;
    return { role: role ?? (isModels ? 'assistant' : 'user'), parts, raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return { role: roleName(message), parts: message.parts.map((part) => writePart(part, CAMEL)) };
    if (!raw.isObject) return writeInstruction(message.parts, raw);
    const content = contentIn(raw);
    if (message.role === 'meta' || content === undefined) return raw;
    const list = present(content, 'parts');
    const spelling = spellingOf(raw, list);
    const written = message.parts.map((part) => writePart(part, spelling));
    const parts = list === undefined ? written : patchItems(list, written);
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
    const response = record.get('response');
    const around = [record, record.get('request'), response?.items()[0] ?? response].filter(
      (node) => node !== undefined,
    );
    const all = (keys: readonly string[]) => around.flatMap((node) => keys.map((key) => node.get(key)));
    return {
      reply: recordedIn(response?.isArray ? response.items().at(-1) : (response ?? record)),
      id: all(['id', 'responseId', 'response_id']).find((node) => node?.isString)?.string,
      model: all([...MODEL, 'model']).find((node) => node?.isString)?.string,
      tools: [...all(['tools']), ...around.map((node) => node.get('config')?.get('tools'))].find(
        (node) => node?.isArray,
      ),
    };
  },
  encode: {
    messages: 'contents',
    model: 'model',
    system: { key: 'systemInstruction', write: (text) => ({ parts: [{ text }] }), cannotBeMessage: true },
    tools: (definitions) => ({
      tools: [
        {
          functionDeclarations: definitions.map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
    media: ({ type, base64, url }) =>
      base64 === undefined
        ? { fileData: { mimeType: type, fileUri: url } }
        : { inlineData: { mimeType: type ?? 'application/octet-stream', data: base64 } },
    objectArgumentsOnly: true,
    resultNeedsToolName: true,
    canReuse(raw, kind) {
      const [call, response] = [keyIn(raw, CALL), keyIn(raw, RESPONSE)];
      if (kind === 'call') return call !== undefined && raw.get(call)!.get('name')?.isString === true;
      if (kind !== 'result') return raw.isObject;
      const answered = response === undefined ? undefined : raw.get(response);
      return answered?.get('name')?.isString === true && answered.get('response')?.isObject === true;
    },
  },
  recorded: recordedIn,
});

/**
 * Of a response or an event: the prompt includes what came from the cache, thoughts come on top of what was said.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
function recordedIn(raw: JsonNode | undefined): Recorded | undefined {
  if (raw === undefined) return undefined;
  const counts = firstPresent([raw], 'usageMetadata', 'usage_metadata');
  const count = (...keys: string[]) => {
    const figure = firstPresent([counts], ...keys)?.number;
    return isCount(figure) ? figure : 0;
  };
  const cacheRead = count('cachedContentTokenCount', 'cached_content_token_count');
  const reasoning = count('thoughtsTokenCount', 'thoughts_token_count');
  const prompt =
    count('promptTokenCount', 'prompt_token_count') + count('toolUsePromptTokenCount', 'tool_use_prompt_token_count');
  const usage =
    counts &&
    usageOf({
      input: Math.max(0, prompt - cacheRead),
      cacheRead,
      output: count('candidatesTokenCount', 'candidates_token_count') + reasoning,
      reasoning,
    });
  return recordedOf({
    responseId: firstPresent([raw], 'responseId', 'response_id')?.string,
    model: MODEL.map((key) => raw.get(key)?.string).find((model) => model !== undefined),
    time: timeOf(firstPresent([raw], 'timestamp', 'createTime', 'create_time')),
    usage,
  });
}

/** The system instruction that stands beside the contents, in both its spellings. */
function besideIn(path: string): string {
  return `=${path}systemInstruction? + =${path}system_instruction? + `;
}

/** The content in what holds it: a content itself, an event, a response. */
function contentIn(raw: JsonNode): JsonNode | undefined {
  if (raw.get('parts') !== undefined || raw.get('role') !== undefined) return raw;
  const content = raw.get('content') ?? raw.get('candidates')?.items()[0]?.get('content');
  return content?.isObject ? content : undefined;
}

function putBack(raw: JsonNode, content: JsonNode, written: Json): Json {
  if (content === raw) return written;
  if (raw.get('content') !== undefined) return patch(raw, { content: written });
  const candidates = raw.get('candidates')!;
  const [first, ...rest] = candidates.items();
  return patch(raw, { candidates: patchItems(candidates, [patch(first!, { content: written }), ...rest]) });
}

function isEvent(raw: JsonNode): boolean {
  return raw.get('author') !== undefined && keyIn(raw, INVOCATION) !== undefined;
}

// --- reading

/** A content, its parts alone, or the text itself. */
function readInstruction(raw: JsonNode): Part[] {
  if (raw.isString) return [{ type: 'text', text: raw, raw }];
  const parts = raw.isArray ? raw : (raw.get('parts') ?? raw);
  return (parts.isObject ? [parts] : parts.items()).map((part, index) =>
    part.isString ? { type: 'text', text: part, raw: part } : readPart(part, `parts[${index}]`),
  );
}

/** A part of a content. Gemini CLI's sessions hold such parts too. */
export function readPart(part: JsonNode, path: string): Part {
  const called = keyIn(part, CALL);
  if (called !== undefined) return readCall(part, objectAt(part, called, path), `${path}.${called}`);
  const answered = keyIn(part, RESPONSE);
  if (answered !== undefined) return readResult(part, objectAt(part, answered, path), `${path}.${answered}`);
  const text = present(part, 'text');
  if (text === undefined) return readOther(part);
  if (!text.isString) return wrongType(text, `${path}.text`, 'a string');
  return { type: part.get('thought')?.boolean === true ? 'thinking' : 'text', text, raw: part };
}

function readCall(part: JsonNode, called: JsonNode, path: string): CallPart {
  const callId = stringIn(called.get('id'), `${path}.id`) || undefined;
  return {
    type: 'call',
    callId,
    tool: stringIn(called.get('name'), `${path}.name`) ?? '',
    input: present(called, 'args') ?? '{}',
    raw: part,
  };
}

function readResult(part: JsonNode, answered: JsonNode, path: string): ResultPart {
  const callId = stringIn(answered.get('id'), `${path}.id`) || undefined;
  const response = answered.get('response');
  const text = textIn(response);
  const texts: ContentPart[] = text === undefined ? [] : [{ type: 'text', text, raw: text }];
  const isError = text !== undefined && response?.get('error')?.is(text) ? { isError: true } : {};
  return {
    type: 'result',
    callId,
    tool: stringIn(answered.get('name'), `${path}.name`),
    content: [...texts, ...objectsIn(answered.get('parts'), `${path}.parts`).map(readOther)],
    ...isError,
    raw: part,
  };
}

/** What of a response is its text: the one text it holds, else its JSON. Undefined where it is empty. */
function textIn(response: JsonNode | undefined): JsonNode | undefined {
  if (response === undefined || response.isNull) return undefined;
  if (!response.isObject) return response;
  const members = response.members();
  const [first] = members;
  if (first === undefined) return undefined;
  return members.length === 1 && first.value.isString && TEXTS.has(first.key.text) ? first.value : response;
}

function readOther(part: JsonNode): ContentPart {
  const key = keyIn(part, INLINE) ?? keyIn(part, FILE);
  return key === undefined
    ? { type: 'opaque', text: part, raw: part }
    : { type: 'media', kind: kindOf(part.get(key)!), raw: part };
}

function kindOf(data: JsonNode): MediaPart['kind'] {
  const key = keyIn(data, MIME);
  return mediaKind(key === undefined ? undefined : optionalString(data, key));
}

function objectAt(part: JsonNode, key: string, path: string): JsonNode {
  const member = part.get(key)!;
  return member.isObject ? member : wrongType(member, `${path}.${key}`, 'an object');
}

/** Under which of its spellings a member is there. */
function keyIn(node: JsonNode, spellings: Spellings): string | undefined {
  return spellings.find((key) => present(node, key) !== undefined);
}

// --- writing

/** Which spelling of keys: an index into `Spellings`. */
type Spelling = 0 | 1;
const CAMEL: Spelling = 0;
const SNAKE: Spelling = 1;

/** The spelling of what is added: that of its neighbours. */
function spellingOf(raw: JsonNode, parts: JsonNode | undefined): Spelling {
  const snake =
    raw.get(INVOCATION[SNAKE]) !== undefined ||
    parts?.items().some((part) => [CALL, RESPONSE, INLINE, FILE].some((keys) => part.get(keys[SNAKE]) !== undefined));
  return snake ? SNAKE : CAMEL;
}

function roleName({ role }: Message): string {
  return role === 'assistant' ? 'model' : role === 'system' ? role : 'user';
}

function writeInstruction(parts: readonly Part[], raw: JsonNode): Json {
  if (raw.isString) return textAsJson(parts.filter((part): part is TextPart => part.type === 'text'));
  return patchItems(
    raw,
    parts.map((part) =>
      part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
        ? json(part.text)
        : writePart(part, CAMEL),
    ),
  );
}

/** A part as it was with what changed in it, or as a new one. */
export function writePart(part: Part, spelling: Spelling = CAMEL): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type === 'text' || part.type === 'thinking') {
    const text = stringOf(part.text);
    if (old?.isObject) return patch(old, { text });
    return part.type === 'text' ? { text } : { text, thought: true };
  }
  if (part.type !== 'call' && part.type !== 'result') return old ?? { text: '' };
  const spellings = part.type === 'call' ? CALL : RESPONSE;
  const key = (old && keyIn(old, spellings)) ?? spellings[spelling];
  const inner = old?.get(key);
  const fields = part.type === 'call' ? callFields(part, inner) : resultFields(part, inner);
  if (old === undefined || inner === undefined) return { [key]: { id: part.callId, name: part.tool, ...fields } };
  return patch(old, { [key]: patch(inner, part.callId === undefined ? fields : { id: part.callId, ...fields }) });
}

function callFields({ input }: CallPart, old: JsonNode | undefined): JsonFields {
  return input === '{}' && old !== undefined && present(old, 'args') === undefined ? {} : { args: jsonValue(input) };
}

function resultFields({ content, isError }: ResultPart, old: JsonNode | undefined): JsonFields {
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  const others = content.flatMap((part): Json[] =>
    part.type !== 'text' && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  const response = writeResponse(texts, old?.get('response'), isError === true);
  const list = old && present(old, 'parts');
  if (list === undefined) return others.length === 0 ? { response } : { response, parts: others };
  return { response, parts: patchItems(list, others) };
}

/** A response keeps its shape: one text stays where it stood; of JSON that was cut, what is left is a text. */
function writeResponse(texts: readonly TextPart[], old: JsonNode | undefined, isError: boolean): Json | undefined {
  const before = textIn(old);
  const [first] = texts;
  if (first === undefined && before === undefined) return old ?? (isError ? { error: '' } : {});
  if (texts.length === 1 && before?.is(first!.text)) return old;
  const text = textAsJson(texts);
  const characters = text instanceof JsonNode && text.isObject ? text.text : text;
  if (old?.isString) return text;
  if (old !== undefined && before?.isString) return patch(old, { [old.members()[0]!.key.text]: characters });
  if (isError) return { error: characters };
  if (first === undefined || (text instanceof JsonNode && text.isObject)) return text === '' ? {} : text;
  return { result: text };
}

/** The one value that the texts are, if it can be a response or the text in one; else their characters. */
function textAsJson(texts: readonly TextPart[]): JsonNode | string {
  const [first] = texts;
  if (texts.length === 1 && first!.text instanceof JsonNode && (first!.text.isString || first!.text.isObject))
    return first!.text;
  return texts.map(({ text }) => textOf(text)).join('');
}
