/**
 * What happened to the messages of a transcript, done to their copies: a trace repeats a history in every request, a result in the
 * span of its tool, a prompt and an answer around everything. A copy is known by what it says, in whatever shape: a part of a message
 * by its kind, ids and text; a text or a value anywhere else by being the same. Nothing that went survives in a copy.
 */

import { TranscriptError } from '../../errors.js';
import { canonical as spelled } from '../../json/canonical.js';
import type { Json } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { greatest, listIn } from '../../lists.js';
import { withoutPartsOf } from '../../transcript/edit.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { ContentPart, Message, Part, Text } from '../../transcript/types.js';
import type { Format } from '../format.js';
import { bestLens } from './embedded-messages.js';
import { mapChildren, REMOVED } from './map-values.js';

/** What became of what the messages said. */
export interface ContentEdits {
  /** Parts that are no longer what they were, by what they were: null where they went. */
  readonly parts: ReadonlyMap<string, Part | null>;
  /** Texts that no message holds any more, and what is there instead; the same for values, by their canonical JSON. */
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  /** The length of the longest value. */
  readonly longest: number;
}

/** The fates of what the messages said: `after` has, for each message before, the one that it became, and what was added. */
export function contentEdits(
  before: readonly Message[],
  after: readonly (Message | undefined)[],
  added: readonly Message[],
): ContentEdits {
  const parts = new Map<string, Part | null>();
  const texts = new Map<string, string>();
  const answered = answeredIn(before);
  before.forEach((message, index) => {
    for (const [part, became] of successors(message, after[index])) {
      if (became !== undefined && partKey(became) === partKey(part)) continue;
      for (const key of keysOf(part, answered)) parts.set(key, became ?? null);
      const [said] = saidBy(part);
      const now = became === undefined ? '' : (saidBy(became)[0] ?? '');
      if (said !== undefined)
        for (const text of part.type === 'result' ? [said, ...textsWithin(said)] : [said])
          if (!NOTHING.has(text) && !now.includes(text)) texts.set(text, now);
    }
  });
  const rest = after.filter((message) => message !== undefined);
  const stillAnswered = answeredIn(rest);
  for (const part of [...rest, ...added].flatMap((message) => message.parts)) {
    for (const key of keysOf(part, stillAnswered)) parts.delete(key);
    for (const said of saidBy(part)) for (const text of [said, ...textsWithin(said)]) texts.delete(text);
  }
  const values = new Map([...texts].flatMap(([text, now]) => (isValue(text) ? [[canonical(text), now] as const] : [])));
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

/** Texts that say nothing. */
const NOTHING = new Set(['', '{}', '[]', 'null']);

/** Whether nothing became of anything. */
export function isUnchanged({ parts, texts }: ContentEdits): boolean {
  return parts.size === 0 && texts.size === 0;
}

/** What a message says, to be found again in another shape. */
export function contentKey({ parts }: Message): string {
  return parts
    .map(partKey)
    .filter((key) => key !== 't:')
    .join('\n');
}

/** Each part with what it became: the same one first, then by id, then by kind and order. */
function successors(before: Message, after: Message | undefined): [Part, Part | undefined][] {
  const found = new Map<Part, Part | undefined>();
  const taken = new Set<Part>();
  const passes: readonly ((part: Part) => string | undefined)[] = [
    partKey,
    (part) => ('callId' in part && part.callId !== undefined ? `${part.type}:${part.callId}` : undefined),
    ({ type }) => type,
  ];
  for (const nameOf of passes) {
    const left = new Map<string, Part[]>(); // the first one last
    for (const part of after?.parts.toReversed() ?? []) {
      const name = taken.has(part) ? undefined : nameOf(part);
      if (name !== undefined) listIn(left, name).push(part);
    }
    for (const part of before.parts) {
      if (found.get(part) !== undefined) continue;
      const name = nameOf(part);
      const other = name === undefined ? undefined : left.get(name)?.pop();
      if (other !== undefined) taken.add(other);
      found.set(part, other);
    }
  }
  return before.parts.map((part) => [part, found.get(part)]);
}

function partKey(part: Part): string {
  switch (part.type) {
    case 'text':
      return `t:${textOf(part.text)}`;
    case 'thinking':
      return `h:${textOf(part.text)}`;
    case 'call':
      return `c:${part.callId ?? ''}:${part.tool}:${canonical(textOf(part.input))}`;
    case 'result':
      return `r:${part.callId ?? ''}:${canonical(joinTexts(part.content))}`;
    default:
      return `o:${part.raw instanceof JsonNode ? canonical(part.raw.text) : ''}`;
  }
}

/** The ids of the calls that results without one answer. */
function answeredIn(messages: readonly Message[]): ReadonlyMap<Part, string> {
  return new Map(
    pair(messages).results.flatMap(({ part, call }) =>
      part.callId || !call?.part.callId ? [] : [[part, call.part.callId] as const],
    ),
  );
}

/** A result that names no call may name it in a copy. */
function keysOf(part: Part, answered: ReadonlyMap<Part, string>): string[] {
  const callId = answered.get(part);
  return callId === undefined ? [partKey(part)] : [partKey(part), partKey({ ...part, callId } as Part)];
}

/** What of a part may stand elsewhere as a text or a value. */
function saidBy(part: Part): string[] {
  if (part.type === 'text' || part.type === 'thinking') return [textOf(part.text)];
  if (part.type === 'call') return [textOf(part.input)];
  return part.type === 'result'
    ? [joinTexts(part.content), ...part.content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []))]
    : [];
}

/** The texts in a text that is JSON: a result that wraps what a tool returned. */
function textsWithin(text: string): string[] {
  const found: string[] = [];
  const left = [valueIn(text)]; // no recursion: it may be deep
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (value.length >= DISTINCT) found.push(value);
    } else if (value !== null && typeof value === 'object')
      for (const inner of Object.values(value).reverse()) left.push(inner);
  }
  return found;
}

/** Texts shorter than this may stand for something else where they are not the whole value. */
const DISTINCT = 20;

function isValue(text: string): boolean {
  return valueIn(text) !== undefined;
}

/** The object or the list that a text is as JSON. */
function valueIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON in one spelling; another text, and a value that is no object and no list, as it is. */
function canonical(text: string): string {
  return isValue(text) ? spelled(text) : text;
}

/** What went in one conversation of a trace is gone in what stands around all of them. */
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

// --- copies

/** What stands in the place of nodes that their format puts back itself. */
export type KnownValue = (node: JsonNode) => Json | undefined;

/** A value with the fates done to all copies in it, in strings that hold JSON too; the very node where there are none. */
export function syncCopies(node: JsonNode, fates: ContentEdits, known: KnownValue = () => undefined): Json {
  return follow(node, fates, known, false);
}

/** The same for a value that is all that one side says: an input, an output. */
export function syncWholeCopy(node: JsonNode, fates: ContentEdits, known: KnownValue = () => undefined): Json {
  return follow(node, fates, known, true);
}

function follow(node: JsonNode, fates: ContentEdits, known: KnownValue, isWhole: boolean): Json {
  const own = known(node);
  if (own !== undefined) return own;
  if (node.isString) return followString(node, fates, known, isWhole);
  if (!node.isObject && !node.isArray) return node;
  const now = isWhole || node.byteLength >= DISTINCT ? fates.values.get(canonicalOf(node, fates)) : undefined;
  if (now !== undefined) return now === '' ? null : now;
  if (bestLens(node) !== undefined) return followMessage(node, fates, known) ?? null;
  return followInside(node, fates, known);
}

/** Only what may be one of the values is made canonical. */
function canonicalOf(node: JsonNode, { longest }: ContentEdits): string {
  return node.byteLength > longest * 4 ? '' : canonical(node.text);
}

function followString(node: JsonNode, fates: ContentEdits, known: KnownValue, isWhole: boolean): Json {
  const { text } = node;
  const now = isWhole || text.length >= DISTINCT ? fates.texts.get(text) : undefined;
  if (now !== undefined) return now;
  const inner = nested(node);
  return inner.strings.length === 0 ? node : renested(inner, follow(inner.value, fates, known, isWhole));
}

function followInside(node: JsonNode, fates: ContentEdits, known: KnownValue): Json {
  return mapChildren(node, (value, key, isItem) => {
    if (isItem) return followMessage(value, fates, known) ?? REMOVED;
    return isNameKey(key) && value.isString ? value : follow(value, fates, known, SIDES.has(key));
  });
}

/** Whether a member names something: links stay whole, even where somebody said the same. */
export function isNameKey(key: string): boolean {
  return /(?:^|[._])(?:id|name|type|role|model|kind)$|[a-z](?:Id|ID|Name|Type)$/.test(key);
}

/** Members that are all that one side says. */
const SIDES = new Set(['input', 'output', 'input.value', 'output.value']);

/** An element of a list, or a value that is a message: undefined where all that it said went. */
function followMessage(node: JsonNode, fates: ContentEdits, known: KnownValue): Json | undefined {
  const lens = bestLens(node);
  return lens === undefined ? follow(node, fates, known, false) : syncMessage(node, lens, fates, known);
}

/** The same for what is known to be a message of a format. */
export function syncMessage(
  node: JsonNode,
  lens: Format,
  fates: ContentEdits,
  known: KnownValue = () => undefined,
): Json | undefined {
  const written = rewritten(node, lens, fates);
  if (written === undefined || written === null) return undefined;
  if (written === node) return followInside(node, fates, known);
  const again = parse(printed(written));
  return again.isString ? again : followInside(again, fates, known);
}

/** A message with the fates of its parts; undefined where nothing is left that speaks. */
function rewritten(node: JsonNode, lens: Format, { parts }: ContentEdits): Json | undefined {
  const message = tryRead(node, lens);
  if (message === undefined || message.role === 'meta' || !message.parts.some((part) => parts.has(partKey(part))))
    return node;
  const gone = new Set(message.parts.filter((part) => parts.get(partKey(part)) === null));
  const rest = withoutPartsOf(message, gone);
  if (rest === undefined) return undefined;
  return lens.write({ ...rest, parts: rest.parts.map((part) => become(part, parts.get(partKey(part)))) });
}

/** A message that cannot be read is none. */
export function tryRead(node: JsonNode, lens = bestLens(node)): Message | undefined {
  try {
    return lens?.read(node);
  } catch (error) {
    if (error instanceof TranscriptError) return undefined;
    throw error;
  }
}

function become(part: Part, now: Part | null | undefined): Part {
  if (now === null || now === undefined || now.type !== part.type) return part;
  if (now.type === 'text' || now.type === 'thinking') return { ...part, text: textOf(now.text) } as Part;
  if (now.type === 'call') return { ...part, callId: now.callId, input: textOf(now.input) } as Part;
  return now.type === 'result' && part.type === 'result'
    ? { ...part, callId: now.callId ?? part.callId, content: becomeContent(part.content, now.content) }
    : part;
}

/** Blocks keep their values where there are as many texts as before. */
function becomeContent(old: readonly ContentPart[], now: readonly ContentPart[]): readonly ContentPart[] {
  const texts: Text[] = now.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []));
  const places = old.filter(({ type }) => type === 'text');
  if (places.length !== texts.length)
    return [{ type: 'text', text: texts.map(textOf).join('') }, ...old.filter(({ type }) => type !== 'text')];
  let next = 0;
  return old.map((block) => (block.type === 'text' ? { ...block, text: texts[next++]! } : block));
}
