/**
 * What changed in the messages of a transcript, by content, so that copies can be found in any provider's format: a
 * part by its kind, ids and text; a text or JSON value elsewhere by being equal.
 */
import { canonical } from '../../json/canonical.js';
import { JsonNode } from '../../json/node.js';
import { greatest, listIn } from '../../lists.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';

/** The changed contents of messages. */
export interface ContentEdits {
  /** Changed parts by the key of the old part; null if removed. */
  readonly parts: ReadonlyMap<string, Part | null>;
  /** Texts that no message contains any more, with their replacement. */
  readonly texts: ReadonlyMap<string, string>;
  /** The same for texts that are JSON, by their canonical form. */
  readonly values: ReadonlyMap<string, string>;
  /** The length of the longest key of `values`. */
  readonly longest: number;
}

/** Computes the edits: `after` has the edited message (undefined if removed) for each message of `before`. */
export function contentEdits(
  before: readonly Message[],
  after: readonly (Message | undefined)[],
  added: readonly Message[],
): ContentEdits {
  const parts = new Map<string, Part | null>();
  const texts = new Map<string, string>();
  const callIds = inferredCallIds(before);
  before.forEach((message, index) => {
    for (const [part, became] of [...pairParts(message, after[index]), ...joinedPairs(message, after[index])]) {
      if (became !== undefined && partKey(became) === partKey(part)) continue;
      for (const key of partKeys(part, callIds)) parts.set(key, became ?? null);
      const [oldText] = textsOf(part);
      const newText = became === undefined ? '' : (textsOf(became)[0] ?? '');
      if (oldText !== undefined)
        for (const text of part.type === 'result' ? [oldText, ...textsWithin(oldText)] : [oldText])
          if (!EMPTY.has(text) && !newText.includes(text)) texts.set(text, newText);
    }
  });
  const rest = after.filter((message) => message !== undefined);
  const remainingIds = inferredCallIds(rest);
  for (const part of [...rest, ...added].flatMap((one) => [...one.parts, ...joinedParts(one)])) {
    for (const key of partKeys(part, remainingIds)) parts.delete(key);
    for (const own of textsOf(part)) for (const text of [own, ...textsWithin(own)]) texts.delete(text);
  }
  const values = new Map(
    [...texts].flatMap(([text, now]) => (isJson(text) ? [[canonicalValue(text), now] as const] : [])),
  );
  return {
    parts,
    texts,
    values,
    longest: greatest(
      [...values.keys()].map((value) => value.length),
      0,
    ),
  };
}

/** Texts without content. */
const EMPTY = new Set(['', '{}', '[]', 'null']);

/** Whether there are no edits. */
export function isUnchanged({ parts, texts }: ContentEdits): boolean {
  return parts.size === 0 && texts.size === 0;
}

/** A key for the content of a message, equal for copies in other formats. */
export function contentKey({ parts }: Message): string {
  return keyOf(parts);
}

function keyOf(parts: readonly Part[]): string {
  return parts
    .map(partKey)
    .filter((key) => key !== 't:')
    .join('\n');
}

/** The keys of a message and of its copies where its texts are one, as is its reasoning, or where that is left out. */
export function copyKeys(message: Message): readonly string[] {
  const { parts } = message;
  const own = contentKey(message);
  if (parts.length < 2) return [own];
  const others = parts.filter(({ type }) => type !== 'text' && type !== 'thinking');
  const said = [...joined(parts, 'text'), ...others];
  const copies = [...joined(parts, 'thinking').map((thought) => keyOf([thought, ...said])), keyOf(said)];
  return [...new Set([own, ...copies.filter((key) => key !== '')])];
}

/**
 * What stands between several texts or thoughts of a reply where a trace has them as one: the AI SDK joins thoughts by
 * line breaks, and those of a stream by nothing.
 */
const JOINTS = { text: [''], thinking: ['\n', ''] } as const;
const JOINED = ['text', 'thinking'] as const;

/** The parts of a kind as one, in each of the ways; none if there are none. */
function joined(parts: readonly Part[], type: keyof typeof JOINTS): Part[] {
  const texts = parts.flatMap((part) => (part.type === type ? [textOf(part.text)] : []));
  return texts.length === 0 ? [] : JOINTS[type].map((joint) => ({ type, text: texts.join(joint) }));
}

function joinedParts(message: Message): Part[] {
  return manyIn(message).flatMap((kind) => joined(message.parts, kind));
}

/** The kinds of which a message has several parts. */
function manyIn({ parts }: Message): readonly (keyof typeof JOINTS)[] {
  return JOINED.filter((kind) => parts.filter(({ type }) => type === kind).length > 1);
}

/** Pairs what several parts are as one with what is left of them. */
function joinedPairs(before: Message, after: Message | undefined): [Part, Part | undefined][] {
  return manyIn(before).flatMap((kind) => {
    const left = joined(after?.parts ?? [], kind);
    return joined(before.parts, kind).map((part, way): [Part, Part | undefined] => [part, left[way]]);
  });
}

/** Pairs each part with its edited version: by equal content, then by call id, then by type and order. */
function pairParts(before: Message, after: Message | undefined): [Part, Part | undefined][] {
  const found = new Map<Part, Part | undefined>();
  const taken = new Set<Part>();
  const passes: readonly ((part: Part) => string | undefined)[] = [
    partKey,
    (part) => ('callId' in part && part.callId !== undefined ? `${part.type}:${part.callId}` : undefined),
    ({ type }) => type,
  ];
  for (const keyOfPass of passes) {
    const remaining = new Map<string, Part[]>(); // in reverse order, to pop the first
    for (const part of after?.parts.toReversed() ?? []) {
      const key = taken.has(part) ? undefined : keyOfPass(part);
      if (key !== undefined) listIn(remaining, key).push(part);
    }
    for (const part of before.parts) {
      if (found.get(part) !== undefined) continue;
      const key = keyOfPass(part);
      const other = key === undefined ? undefined : remaining.get(key)?.pop();
      if (other !== undefined) taken.add(other);
      found.set(part, other);
    }
  }
  return before.parts.map((part) => [part, found.get(part)]);
}

/** A key for the content of a part. */
export function partKey(part: Part): string {
  switch (part.type) {
    case 'text':
      return `t:${textOf(part.text)}`;
    case 'thinking':
      return `h:${textOf(part.text)}`;
    case 'call':
      return `c:${part.callId ?? ''}:${part.tool}:${canonicalValue(textOf(part.input))}`;
    case 'result':
      return `r:${part.callId ?? ''}:${canonicalValue(joinTexts(part.content))}`;
    default:
      return `o:${part.raw instanceof JsonNode ? canonicalValue(part.raw.text) : ''}`;
  }
}

/** The call ids of results without an id of their own, by pairing. */
function inferredCallIds(messages: readonly Message[]): ReadonlyMap<Part, string> {
  return new Map(
    pair(messages).results.flatMap(({ part, call }) =>
      part.callId || !call?.part.callId ? [] : [[part, call.part.callId] as const],
    ),
  );
}

/** All keys of a part: a result without a call id can have it in a copy. */
function partKeys(part: Part, callIds: ReadonlyMap<Part, string>): string[] {
  const callId = callIds.get(part);
  return callId === undefined ? [partKey(part)] : [partKey(part), partKey({ ...part, callId } as Part)];
}

/** The texts of a part that can occur elsewhere as a text or JSON value. */
function textsOf(part: Part): string[] {
  if (part.type === 'text' || part.type === 'thinking') return [textOf(part.text)];
  if (part.type === 'call') return [textOf(part.input)];
  return part.type === 'result'
    ? [joinTexts(part.content), ...part.content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []))]
    : [];
}

/** The strings inside a text that is JSON, such as a result that wraps the output of a tool. */
function textsWithin(text: string): string[] {
  const found: string[] = [];
  const pending = [parseValue(text)]; // a loop, as the value can be nested deeply
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (value.length >= MIN_DISTINCT) found.push(value);
    } else if (value !== null && typeof value === 'object')
      for (const inner of Object.values(value).reverse()) pending.push(inner);
  }
  return found;
}

/** Shorter texts can be equal by chance unless they are a whole input or output. */
export const MIN_DISTINCT = 20;

function isJson(text: string): boolean {
  return parseValue(text) !== undefined;
}

/** Parses a text that is a JSON object or array; undefined for all others. */
function parseValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The canonical form of a text that is a JSON object or array; any other text unchanged. */
export function canonicalValue(text: string): string {
  return isJson(text) ? canonical(text) : text;
}

/** Merges the edits of all conversations of a trace, for the spans around them. */
export function mergeEdits(all: readonly ContentEdits[]): ContentEdits {
  if (all.length === 1) return all[0]!;
  const merged = {
    parts: new Map(all.flatMap(({ parts }) => [...parts])),
    texts: new Map(all.flatMap(({ texts }) => [...texts])),
    values: new Map(all.flatMap(({ values }) => [...values])),
  };
  return {
    ...merged,
    longest: greatest(
      all.map(({ longest }) => longest),
      0,
    ),
  };
}
