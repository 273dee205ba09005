/** What lenses share: reading members of the right type, and turning texts and arguments back into JSON. */
import { TranscriptError } from '../../errors.js';
import type { Json } from '../../json/edit.js';
import { type JsonKind, JsonNode, parse } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Text } from '../../transcript/types.js';

/** A line that is no message. `isSpare`: nothing else in the log needs it. */
export function readRecord(raw: JsonNode, isSpare: boolean): Message {
  return { role: 'meta', parts: [], raw, ...(isSpare ? { spare: true } : {}) };
}

/** The member, where it is there and not null. */
export function present(node: JsonNode, key: string): JsonNode | undefined {
  const member = node.get(key);
  return member === undefined || member.isNull ? undefined : member;
}

/** The first of these members that is there and not null, in the first of these values that has one. */
export function firstPresent(
  nodes: readonly (JsonNode | undefined)[],
  ...keys: readonly string[]
): JsonNode | undefined {
  return nodes.flatMap((node) => keys.map((key) => node && present(node, key))).find((found) => found !== undefined);
}

/** The member as a string; undefined where it is absent or null. Throws where it is of another type. */
export function optionalString(node: JsonNode, key: string): string | undefined {
  return stringIn(node.get(key), key);
}

/** A picked member as a string; undefined where it is absent or null. Throws where it is of another type. */
export function stringIn(member: JsonNode | undefined, path: string): string | undefined {
  if (member === undefined || member.isNull) return undefined;
  return member.isString ? member.text : wrongType(member, path, 'a string');
}

/** The elements of a member; none where it is absent or null. Throws where it is no array, or an element no object. */
export function optionalObjects(node: JsonNode, key: string): JsonNode[] {
  return objectsIn(node.get(key), key);
}

/** The elements of a picked member; none where it is absent or null. Throws where it is no array, or an element no object. */
export function objectsIn(member: JsonNode | undefined, key: string): JsonNode[] {
  if (member === undefined || member.isNull) return [];
  if (!member.isArray) return wrongType(member, key, 'an array');
  const items = member.items();
  items.forEach((item, index) => {
    if (!item.isObject) wrongType(item, `${key}[${index}]`, 'an object');
  });
  return items;
}

/** Throws: the value at this path of the message is of the wrong type. */
export function wrongType(node: JsonNode, path: string, expected: string): never {
  throw new MessageError(`\`${path}\` is ${an(node.kind)}; expected ${expected}`, path, node);
}

/** Throws: the member at this path is not there, or of the wrong type. */
export function wrongMember(member: JsonNode | undefined, holder: JsonNode, path: string, expected: string): never {
  if (member !== undefined) return wrongType(member, path, expected);
  throw new MessageError(`\`${path}\` is missing; expected ${expected}`, path, holder);
}

/** An error that knows its node, so that line and column can be found. */
export class MessageError extends TranscriptError {
  constructor(
    message: string,
    path: string,
    readonly node: JsonNode,
  ) {
    super('message', message, { path });
  }
}

function an(kind: JsonKind): string {
  return kind === 'null' ? 'null' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** A text as JSON: the node it was read from, where it was, so that it is known as unchanged. */
export function json(text: Text): Json {
  return text instanceof JsonNode ? text : textOf(text);
}

/** A text where only a string may stand: that of JSON is its characters. */
export function stringOf(text: Text): Json {
  return text instanceof JsonNode && text.isString ? text : textOf(text);
}

/** Arguments in a format that holds them as a value: the node they were read from, or their text as JSON, or as a string. */
export function jsonValue(input: Text): Json {
  return input instanceof JsonNode ? input : (parsed(textOf(input)) ?? textOf(input));
}

/** The JSON that a text is; undefined where it is none. */
export function parsed(text: string): JsonNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
