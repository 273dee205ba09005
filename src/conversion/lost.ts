/** Members of a recorded message that its format does not read, so that they are lost. */
import type { Format } from '../formats/format.js';
import { CUSTOM, isCustomCall } from '../formats/shared/custom-calls.js';
import type { Json, JsonFields } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { PlainNode } from '../json/plain-node.js';
import { reparsed } from '../json/print.js';
import { once } from '../once.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Message, Part } from '../transcript/types.js';

/**
 * The paths of members that the recorded message has and a newly written one would not. `kept`: the message whose parts
 * are kept unchanged, if any.
 */
export function fieldsLost(message: Message, format: Format, kept: Message | undefined): ReadonlySet<string> {
  const { raw } = message;
  const lost = new Set<string>();
  if (!(raw instanceof JsonNode) || (!raw.isObject && !isSystemList(message, kept))) return lost;
  const source = kept === undefined ? withoutSource(message) : { ...kept, name: message.name, raw: undefined };
  const texts = once(() => textsIn(message));
  const item = kept?.raw instanceof JsonNode ? { read: format.wraps?.inner(raw) ?? raw, kept: kept.raw } : undefined;
  const written = item?.read.is(raw) ? { read: raw, twin: item.kept } : writtenAnew(raw, source, format);
  const [path, twin] = raw.isArray ? ['system', memberOf(written.twin, 'content')] : ['', written.twin];
  addMissing(lost, written.read, twin, { path, level: 0, texts, item });
  return lost;
}

/** A system prompt that is a list of blocks beside the messages, and is not kept as it is. */
function isSystemList({ role, raw }: Message, kept: Message | undefined): boolean {
  return kept === undefined && role === 'system' && raw instanceof JsonNode && raw.isArray;
}

/** What was recorded of a message, and the same as its format would write it. */
function writtenAnew(
  raw: JsonNode,
  message: Message,
  format: Format,
): { readonly read: JsonNode; readonly twin: Twin } {
  const twin = twinOf(format.write(message));
  const inner = raw.get('format') === undefined ? undefined : raw.get('message');
  // in a trace another format may have the message: the rest of the element is ours
  return inner !== undefined && memberOf(twin, 'format') !== undefined
    ? { read: inner, twin: memberOf(twinOf(format.write(message, raw)), 'message') }
    : { read: raw, twin: partLike(raw, twin) };
}

/** Of a message that is a part of what is written anew, as in a request of Pydantic AI: that part. */
function partLike(raw: JsonNode, twin: Twin): Twin {
  if (raw.members().some(({ key }) => memberOf(twin, key.text) !== undefined)) return twin;
  const [part, ...more] = itemsOf(memberOf(twin, 'parts'));
  return part === undefined || more.length > 0 ? twin : part;
}

function textsIn({ parts }: Message): ReadonlySet<string> {
  const content = parts.flatMap((part): readonly (Part | ContentPart)[] =>
    part.type === 'result' ? part.content : [part],
  );
  return new Set(content.flatMap(textIn));
}

/** The text of a part, or the string that a picture was read from. */
function textIn(part: Part): readonly string[] {
  if ('text' in part && part.text !== undefined) return [textOf(part.text)];
  return part.type === 'media' && part.raw instanceof JsonNode && part.raw.isString ? [part.raw.text] : [];
}

function withoutSource({ raw: _, group: __, ...message }: Message): Message {
  const strip = <P extends Part>(part: P): P =>
    part.type === 'media' || part.type === 'opaque' ? part : { ...part, raw: undefined };
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'result') return strip({ ...part, content: part.content.map(strip) });
      return part.type === 'call' && isCustomCall(part) ? { ...strip(part), kind: CUSTOM } : strip(part);
    }),
  };
}

/** Deeper members are not reported. */
const MAX_DEPTH = 50;

interface Location {
  readonly path: string;
  readonly level: number;
  /** The texts of the message's parts: a member with one of them is not lost. */
  readonly texts: () => ReadonlySet<string>;
  /** The item that is kept: as it was read, and as it is written. */
  readonly item: { readonly read: JsonNode; readonly kept: JsonNode } | undefined;
}

/** A value as it was written, in the place of what was read: a node, or a plain value, which need not be printed. */
type Twin = Json | undefined;

function twinOf(value: Twin): Twin {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype) return value;
  return value instanceof JsonNode && !(value instanceof PlainNode) ? value : reparsed(value);
}

function memberOf(twin: Twin, key: string): Twin {
  if (twin instanceof JsonNode) return twin.get(key);
  if (typeof twin !== 'object' || twin === null || Array.isArray(twin) || !Object.hasOwn(twin, key)) return undefined;
  return twinOf((twin as JsonFields)[key]);
}

function itemsOf(twin: Twin): readonly Twin[] {
  return twin instanceof JsonNode ? twin.items() : Array.isArray(twin) ? (twin as readonly Json[]).map(twinOf) : [];
}

function stringOf(twin: Twin): string | undefined {
  return twin instanceof JsonNode ? twin.string : typeof twin === 'string' ? twin : undefined;
}

function addMissing(lost: Set<string>, node: JsonNode, twin: Twin, location: Location): void {
  const { path, level } = location;
  if (level > MAX_DEPTH) return;
  if (node.isObject) {
    for (const { key, value } of node.members()) {
      const other = location.item?.read.is(value) ? location.item.kept : memberOf(twin, key.text);
      const isHeld = other !== undefined && !value.isObject && !value.isArray;
      if (isHeld || isEmpty(value)) continue;
      const at = path === '' ? key.text : `${path}.${key.text}`;
      if (other !== undefined) addMissing(lost, value, other, { ...location, path: at, level: level + 1 });
      else if (!isSaid(key.text, value, twin, location)) lost.add(at);
    }
  } else if (node.isArray) {
    const twins = twin === undefined || stringOf(twin) !== undefined ? undefined : itemsOf(twin);
    const below = { ...location, path: `${path}[]`, level: level + 1 };
    for (const [index, item] of node.items().entries())
      if (item.isObject) addMissing(lost, item, twins === undefined ? twin : (twins[index] ?? twins.at(-1)), below);
  }
}

/** Whether a member is in texts: of the message, or the one in place of the object that holds the member. */
function isSaid(key: string, value: JsonNode, twin: Twin, { texts }: Location): boolean {
  const said = value.isArray ? value.items() : [value];
  if (said.every((text) => text.isString && texts().has(text.text))) return true;
  const text = stringOf(twin);
  return text !== undefined && (key === 'type' || (value.isString && text.includes(value.text)));
}

/** Whether a value has no content: null, false, or empty. */
function isEmpty(value: JsonNode): boolean {
  return (
    value.isNull ||
    value.boolean === false ||
    (value.isString && value.byteLength === 0) ||
    (value.isArray && value.length === 0) ||
    (value.isObject && value.members().length === 0)
  );
}
