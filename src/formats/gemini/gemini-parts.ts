/** Parts of Gemini contents, as used by the API, by ADK and by Gemini CLI. Keys are in camelCase or snake_case. */
import { amend, type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, MediaPart, Part, ResultPart, TextPart } from '../../transcript/types.js';
import { jsonValue, objectsIn, optionalString, present, stringIn, stringOf, wrongType } from '../shared/json-fields.js';
import { mediaKind } from '../shared/parts.js';

export type Spelling = 'camel' | 'snake';
type Spellings = Readonly<Record<Spelling, string>>;
export const CALL: Spellings = { camel: 'functionCall', snake: 'function_call' };
export const RESPONSE: Spellings = { camel: 'functionResponse', snake: 'function_response' };
const INLINE: Spellings = { camel: 'inlineData', snake: 'inline_data' };
const FILE: Spellings = { camel: 'fileData', snake: 'file_data' };
const SIGNATURE: Spellings = { camel: 'thoughtSignature', snake: 'thought_signature' };
const MIME: Spellings = { camel: 'mimeType', snake: 'mime_type' };
/**
 * Keys of the text of a response: the documented ones, those of the SDKs, pydantic-ai's.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
const TEXT_KEYS = new Set(['output', 'error', 'result', 'content', 'return_value']);

/** Reads a part of a content. */
export function readPart(part: JsonNode, path: string): Part {
  const found = part.find(PART_KEYS);
  const { text, thought } = PART;
  const called = part.isAt(found[PART.call]!) ? PART.call : PART.call_;
  const answered = part.isAt(found[PART.response]!) ? PART.response : PART.response_;
  if (part.isAt(found[called]!)) return readIn(part, called, found[called]!, path, readCall);
  if (part.isAt(found[answered]!)) return readIn(part, answered, found[answered]!, path, readResult);
  if (!part.isAt(found[text]!)) return readOther(part);
  const node = part.nodeAt(found[text]!)!;
  if (!node.isString) return wrongType(node, `${path}.text`, 'a string');
  const isThought = part.nodeAt(found[thought]!)?.boolean === true;
  return { type: isThought ? 'thinking' : 'text', text: node, raw: part };
}

/** Members by which a part is told, searched for in one walk; those with a dash below are in snake_case. */
const PART = { call: 0, call_: 1, response: 2, response_: 3, text: 4, thought: 5 } as const;
const PART_KEYS = new Keys([CALL.camel, CALL.snake, RESPONSE.camel, RESPONSE.snake, 'text', 'thought']);

function readIn<P extends Part>(
  part: JsonNode,
  ...[key, at, path, read]: [number, number, string, (part: JsonNode, member: JsonNode, path: string) => P]
): P {
  const member = part.nodeAt(at)!;
  const where = `${path}.${PART_KEYS.names[key]}`;
  return read(part, member.isObject ? member : wrongType(member, where, 'an object'), where);
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

/** The text of a response: its only text, else its JSON; undefined if it is empty. */
function textIn(response: JsonNode | undefined): JsonNode | undefined {
  if (response === undefined || response.isNull) return undefined;
  if (!response.isObject) return response;
  const members = response.members();
  const [first] = members;
  if (first === undefined) return undefined;
  return members.length === 1 && first.value.isString && TEXT_KEYS.has(first.key.text) ? first.value : response;
}

function readOther(part: JsonNode): ContentPart {
  const key = keyIn(part, INLINE) ?? keyIn(part, FILE);
  return key === undefined
    ? { type: 'opaque', text: part, raw: part }
    : { type: 'media', kind: kindOfData(part.get(key)!), raw: part };
}

function kindOfData(data: JsonNode): MediaPart['kind'] {
  const key = keyIn(data, MIME);
  return mediaKind(key === undefined ? undefined : optionalString(data, key));
}

/** The spelling under which a member is present; undefined if it is absent. */
export function keyIn(node: JsonNode, { camel, snake }: Spellings): string | undefined {
  if (present(node, camel) !== undefined) return camel;
  return present(node, snake) === undefined ? undefined : snake;
}

/** Whether a part has a snake_case key. */
export function usesSnakeCase(part: JsonNode): boolean {
  return [CALL, RESPONSE, INLINE, FILE].some(({ snake }) => part.get(snake) !== undefined);
}

/**
 * The parts of a content; undefined if it has none. The API also takes one that stands alone.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
 */
export function partsIn(content: JsonNode): JsonNode[] | undefined {
  const parts = present(content, 'parts');
  return parts?.isObject ? [parts] : parts?.isArray ? parts.items() : undefined;
}

/** Puts parts in the place of a list of them, or of one that stands alone. */
export function putParts(old: JsonNode, written: readonly Json[]): Json {
  return old.isObject && written.length === 1 ? written[0]! : patchItems(old, written);
}

/**
 * Writes parts in place of `old`. Of calls that were made at once, only the first has a thought signature, and Gemini 3
 * refuses a message whose first call has none: if that call goes, the first that is left gets it.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function writeParts(parts: readonly Part[], old: JsonNode | undefined, spelling: Spelling): Json[] {
  const written = parts.map((part) => writePart(part, spelling));
  const signed = old?.items().find((part) => keyIn(part, CALL) !== undefined);
  const key = signed && keyIn(signed, SIGNATURE);
  if (key === undefined || parts.some(({ raw }) => signed!.is(raw))) return written;
  const first = parts.findIndex(({ type }) => type === 'call');
  const raw = parts[first]?.raw;
  if (raw instanceof JsonNode && keyIn(raw, SIGNATURE) === undefined)
    written[first] = amend(raw, written[first]!, { [key]: signed!.get(key)! });
  return written;
}

/** Writes an edited part as a patch of its source, an added one from scratch. */
export function writePart(part: Part, spelling: Spelling = 'camel'): Json {
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

/** Writes a response in its old shape: a single text stays under its key; JSON that was cut becomes a text. */
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

/** A single text as the value it was read from (a string or object); otherwise the joined texts. */
export function textAsJson(texts: readonly TextPart[]): JsonNode | string {
  const [first] = texts;
  if (texts.length === 1 && first!.text instanceof JsonNode && (first!.text.isString || first!.text.isObject))
    return first!.text;
  return texts.map(({ text }) => textOf(text)).join('');
}
