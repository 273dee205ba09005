/** Reading and writing content that is a text or a list of blocks, as in most provider formats. */
import { type Json, type JsonFields, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  OpaquePart,
  Part,
  ResultPart,
  Text,
  TextPart,
  ThinkingPart,
} from '../../transcript/types.js';
import { json, jsonValue, stringOf, wrongMember, wrongType } from './json-fields.js';

/** Whether a part is content that a result can hold too: not thinking, a call or a result. */
export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || part.type === 'opaque';
}

/** Whether a part is a call. */
export function isCall(part: Part): part is CallPart {
  return part.type === 'call';
}

export { isResult } from '../../transcript/pairs.js';

// --- reading

/** Reads content: absent, a text, or an array of blocks. Throws if it has another type. */
export function readContent<P extends Part>(
  content: JsonNode | undefined,
  path: string,
  readBlock: (block: JsonNode, path: string) => P,
  expected = 'a string or an array of blocks',
): (P | TextPart)[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, expected);
  return content.items().map((block, index) => readBlock(block, `${path}[${index}]`));
}

/** Reads a block whose text is the string under `key`. Throws if that is not a string. */
export function readText<T extends 'text' | 'thinking'>(
  type: T,
  block: JsonNode,
  key: string,
  path: string,
): (TextPart | ThinkingPart) & { readonly type: T };
export function readText(
  type: 'text' | 'thinking',
  block: JsonNode,
  key: string,
  path: string,
): TextPart | ThinkingPart {
  const text = block.get(key);
  return text?.isString ? { type, text, raw: block } : wrongMember(text, block, `${path}.${key}`, 'a string');
}

/** Reads a media block, or (without a kind) an unknown block. */
export function readMedia(block: JsonNode, kind: MediaPart['kind'] | undefined): MediaPart | OpaquePart {
  return kind === undefined ? { type: 'opaque', text: block, raw: block } : { type: 'media', kind, raw: block };
}

/** The kind of media for a media type such as `image/png`. */
export function mediaKind(type: string | undefined): MediaPart['kind'] {
  const kind = type?.split('/')[0];
  return kind === 'image' || kind === 'audio' ? kind : 'file';
}

// --- writing

/**
 * Writes content in place of `old`. An array stays an array; otherwise a single text is written as a string, unless
 * `asText` returns undefined for it. An emptied text becomes ''.
 */
export function writeContent<P extends Part>(
  parts: readonly P[],
  old: JsonNode | undefined,
  writeBlock: (part: P) => Json,
  asText: (part: P & TextPart) => Json | undefined = ({ text }) => json(text),
): Json | undefined {
  if (old?.isArray) return patchItems(old, parts.map(writeBlock));
  const [first] = parts;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  return (parts.length === 1 && isText(first) ? asText(first) : undefined) ?? parts.map(writeBlock);
}

/** Whether a part was a plain string among the blocks of this list, not the whole content of a message. */
export function isBareText(part: Part, list: JsonNode | undefined): part is TextPart {
  return (
    part.type === 'text' &&
    part.raw instanceof JsonNode &&
    part.raw.isString &&
    list?.isArray === true &&
    list.encloses(part.raw)
  );
}

function isText<P extends Part>(part: P): part is P & TextPart {
  return part.type === 'text';
}

/** Joins all texts to one string. A single text that is another JSON value becomes its source text. */
export function joinedString(parts: readonly Part[]): Json {
  const texts = parts.filter(isText);
  return texts.length === 1 ? stringOf(texts[0]!.text) : joinTexts(texts);
}

/** Joins all texts and thinking; a single one is written as it was read. */
export function joinedText(parts: readonly Part[]): Json {
  const texts = parts.flatMap((part): Text[] => (part.type === 'text' || part.type === 'thinking' ? [part.text] : []));
  return texts.length === 1 ? json(texts[0]!) : texts.map(textOf).join('');
}

/** The call id under this key, if there is one. */
export function idField(key: string, { callId }: CallPart | ResultPart): JsonFields {
  return callId ? { [key]: callId } : {};
}

/** The arguments of a call under this key. A call that had none (`old`) stays without. */
export function inputField(
  key: string,
  { input }: CallPart,
  old: JsonNode | undefined,
  written: Json = jsonValue(input),
): JsonFields {
  return input === '{}' && old === undefined ? {} : { [key]: written };
}
