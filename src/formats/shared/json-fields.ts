/** Typed access to members, and texts and arguments back to JSON: shared by all formats. */
import { TranscriptError } from '../../errors.js';
import type { Json } from '../../json/edit.js';
import { type JsonKind, JsonNode, parse } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Text } from '../../transcript/types.js';

/** A line that is not a message. `discardable`: it can be dropped; nothing else in the log needs it. */
export function metaMessage(raw: JsonNode, discardable: boolean): Message {
  return { role: 'meta', parts: [], raw, ...(discardable ? { discardable } : {}) };
}

/** The member; undefined if absent or null. */
export function present(node: JsonNode, key: string): JsonNode | undefined {
  const member = node.get(key);
  return member === undefined || member.isNull ? undefined : member;
}

/** The first member under any of the keys that is present and not null, searched value by value. */
export function firstPresent(
  nodes: readonly (JsonNode | undefined)[],
  ...keys: readonly string[]
): JsonNode | undefined {
  for (const node of nodes)
    for (const key of keys) {
      const found = node && present(node, key);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** The member as a string; undefined if absent or null. Throws if it has another type. */
export function optionalString(node: JsonNode, key: string): string | undefined {
  return stringIn(node.get(key), key);
}

/** Like `optionalString` for a member already looked up; `path` is for the error. */
export function stringIn(member: JsonNode | undefined, path: string): string | undefined {
  if (member === undefined || member.isNull) return undefined;
  return member.isString ? member.text : wrongType(member, path, 'a string');
}

/** The objects of an array member; none if absent or null. Throws if it is not an array of objects. */
export function optionalObjects(node: JsonNode, key: string): JsonNode[] {
  return objectsIn(node.get(key), key);
}

/** Like `optionalObjects` for a member already looked up. */
export function objectsIn(member: JsonNode | undefined, key: string): JsonNode[] {
  if (member === undefined || member.isNull) return [];
  if (!member.isArray) return wrongType(member, key, 'an array');
  const items = member.items();
  items.forEach((item, index) => {
    if (!item.isObject) wrongType(item, `${key}[${index}]`, 'an object');
  });
  return items;
}

/** Throws: the value at this path of the message has the wrong type. */
export function wrongType(node: JsonNode, path: string, expected: string): never {
  throw new MessageError(`\`${path}\` is ${withArticle(node.kind)}; expected ${expected}`, path, node);
}

/** Throws: the member at this path is missing, or has the wrong type. */
export function wrongMember(member: JsonNode | undefined, holder: JsonNode, path: string, expected: string): never {
  if (member !== undefined) return wrongType(member, path, expected);
  throw new MessageError(`\`${path}\` is missing; expected ${expected}`, path, holder);
}

/** An error with its node, from which line and column are computed. */
export class MessageError extends TranscriptError {
  constructor(
    message: string,
    path: string,
    readonly node: JsonNode,
  ) {
    super('message', message, { path });
  }
}

/** A kind of value in a sentence: `an array`, `null`. */
export function withArticle(kind: JsonKind): string {
  return kind === 'null' ? 'null' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** A text as JSON; the node that it was read from, if any, so that it counts as unchanged. */
export function json(text: Text): Json {
  return text instanceof JsonNode ? text : textOf(text);
}

/** A text as a JSON string; a node of another kind becomes its source text. */
export function stringOf(text: Text): Json {
  return text instanceof JsonNode && text.isString ? text : textOf(text);
}

/** Arguments as a JSON value: the node they were read from, else the parsed text, else the text as a string. */
export function jsonValue(input: Text): Json {
  return input instanceof JsonNode ? input : (tryParse(textOf(input)) ?? textOf(input));
}

/** Parses a text as JSON; undefined if it is not valid. */
export function tryParse(text: string): JsonNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
