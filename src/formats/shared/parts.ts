/** Contents that are a text or a list of blocks, as most providers have them: how their parts are told, read and written. */
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

/** Whether a part is content, as that of a result may be: not a thought, a call or a result. */
export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || part.type === 'opaque';
}

/** Whether a part is a call. */
export function isCall(part: Part): part is CallPart {
  return part.type === 'call';
}

/** Whether a part is a result. */
export function isResult(part: Part): part is ResultPart {
  return part.type === 'result';
}

// --- reading

/** A content that is nothing, a text, or a list of blocks that `readBlock` reads. Throws where it is of another type. */
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

/** A block whose text is a string under this key. Throws where it is none. */
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

/** A block that shows something, or (without a kind) one that nobody here knows. */
export function readShown(block: JsonNode, kind: MediaPart['kind'] | undefined): MediaPart | OpaquePart {
  return kind === undefined ? { type: 'opaque', text: block, raw: block } : { type: 'media', kind, raw: block };
}

/** What a value of this media type shows: `image/png`. */
export function kindOfType(type: string | undefined): MediaPart['kind'] {
  const kind = type?.split('/')[0];
  return kind === 'image' || kind === 'audio' ? kind : 'file';
}

// --- writing

/**
 * The content in the place of `old`: a list stays a list, and what is one text is no list (`asText` may say no), and where nothing is
 * left of a text stands an empty one.
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

/** A text that stands bare among the blocks of this list. What was the whole content of a message is none: it becomes a block. */
export function isBare(part: Part, list: JsonNode | undefined): part is TextPart {
  return (
    part.type === 'text' &&
    part.raw instanceof JsonNode &&
    part.raw.isString &&
    list?.isArray === true &&
    list.source === part.raw.source &&
    list.start < part.raw.start &&
    part.raw.end < list.end
  );
}

function isText<P extends Part>(part: P): part is P & TextPart {
  return part.type === 'text';
}

/** All texts as one string, whatever stands between them. A value of another kind is its characters. */
export function oneString(parts: readonly Part[]): Json {
  const texts = parts.filter(isText);
  return texts.length === 1 ? stringOf(texts[0]!.text) : joinTexts(texts);
}

/** All texts and thoughts as one: where there is but one, as it was read. */
export function oneText(parts: readonly Part[]): Json {
  const texts = parts.flatMap((part): Text[] => (part.type === 'text' || part.type === 'thinking' ? [part.text] : []));
  return texts.length === 1 ? json(texts[0]!) : texts.map(textOf).join('');
}

/** The id of a call under this key, where it has one. */
export function idField(key: string, { callId }: CallPart | ResultPart): JsonFields {
  return callId ? { [key]: callId } : {};
}

/** The arguments of a call under this key, as a value or as `written`: a call that came without (`old`) stays so. */
export function inputField(
  key: string,
  { input }: CallPart,
  old: JsonNode | undefined,
  written: Json = jsonValue(input),
): JsonFields {
  return input === '{}' && old === undefined ? {} : { [key]: written };
}
