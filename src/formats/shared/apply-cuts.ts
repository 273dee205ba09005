/** Removes text that was cut from a result wherever else a log repeats that text. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { once } from '../../once.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { mapDeep, REMOVED } from './map-values.js';
import { isResult } from './parts.js';

/** A text before and after it was cut. */
export interface Cut {
  readonly before: string;
  readonly after: string;
}

/** A cut result, with the id of its call. */
export interface CutResult extends Cut {
  readonly callId: string;
}

/** The results of a message whose text changed. */
export function cutsBetween(before: Message, after: Message): CutResult[] {
  const now = after.parts.filter(isResult);
  const was = before.parts.filter(isResult);
  return was.flatMap((part, index) => {
    const edited = now.length === was.length ? now[index]! : now.find(({ callId }) => callId === part.callId);
    if (edited === undefined || edited.content === part.content) return [];
    const cut = { callId: part.callId ?? '', before: joinTexts(part.content), after: joinTexts(edited.content) };
    return cut.before === cut.after ? [] : [cut];
  });
}

/**
 * Applies cuts to a value that repeats the cut texts. The value keeps its shape; the same node is returned if nothing
 * was cut.
 * - A string that equals or contains a cut text gets the shortened text.
 * - A string that repeats a piece of it, or repeats it without line numbers, loses the part that was cut.
 * - An array of lines loses the lines that were cut.
 */
export function applyCuts(value: JsonNode, cuts: readonly Cut[]): Json {
  const gaps = cuts.flatMap(variants).map(gapOf);
  return mapDeep(value, (node, _, isItem) => {
    if (!node.isString) return undefined;
    const { text } = node;
    if (isItem && text.trim().length >= MIN_DISTINCT && gaps.some(({ lines }) => lines().has(text))) return REMOVED;
    const shortened = gaps.filter(({ appliesTo }) => appliesTo?.(text) !== false).reduce(closeGap, text);
    return shortened === text ? node : shortened;
  }) as Json;
}

/** Agents show files with line numbers, but keep their own copies without. */
const LINE_NUMBER = /^ *\d+(?:\u2192|\t| \| )/gm;

/** The cut as it is, and without line numbers if the text has them. */
function variants(cut: Cut): CutVariant[] {
  const plain = { before: cut.before.replace(LINE_NUMBER, ''), after: cut.after.replace(LINE_NUMBER, '') };
  if (plain.before === cut.before) return [cut];
  const lines = new Set(cut.before.split('\n'));
  const isNumbered = (text: string) =>
    text.split('\n').some((line) => lines.has(line) && line.search(LINE_NUMBER) === 0);
  return [
    { ...cut, appliesTo: isNumbered },
    { ...plain, appliesTo: (text) => !isNumbered(text) },
  ];
}

/** A cut with or without line numbers: it applies to strings that are written the same way. */
interface CutVariant extends Cut {
  appliesTo?(text: string): boolean;
}

/** A cut, and what is found of it only where a string repeats a part of it. */
interface Gap extends CutVariant {
  readonly section: () => Section;
  /** Lines that were cut. */
  readonly lines: () => ReadonlySet<string>;
}

/** The section of a text that was cut out. */
interface Section {
  readonly start: number;
  readonly end: number;
  /** The text that replaces it. */
  readonly marker: string;
  /** Chunks of the section, and the offsets of the first few occurrences of each. */
  readonly chunks: ReadonlyMap<string, readonly number[]>;
  /** 1 at the traces of all chunks: most places of a text need no comparison. */
  readonly traces: Uint8Array;
}

/** Two texts that share this many characters repeat each other. */
const CHUNK = 32;
/** A chunk of fewer distinct characters (a rule, an indentation) can occur anywhere. */
const MIN_DISTINCT = 6;
/** Shorter leftovers between two removed sections, or after the last, are removed too. */
const MIN_LEFTOVER = 2 * CHUNK;
const MAX_OFFSETS = 8;
const MAX_MARKER = 200;

function gapOf(cut: CutVariant): Gap {
  return { ...cut, section: once(() => sectionOf(cut)), lines: once(() => cutLines(cut)) };
}

function cutLines({ before, after }: Cut): ReadonlySet<string> {
  if (!before.includes('\n')) return new Set();
  const keptLines = new Set(after.split('\n'));
  return new Set(before.split('\n').filter((line) => !keptLines.has(line)));
}

function sectionOf({ before, after }: Cut): Section {
  const start = sharedPrefixLength(before, after);
  const end = before.length - keptTailLength(before, after, before.length - start);
  const note = noteOf(after.slice(start), before.slice(end));
  const chunks = new Map<string, number[]>();
  const traces = new Uint8Array(TRACES);
  for (let at = start; at < end; at += CHUNK) {
    const from = Math.min(at, end - CHUNK);
    const chunk = from < start ? '' : before.slice(from, from + CHUNK);
    if (new Set(chunk).size < MIN_DISTINCT) continue;
    traces[traceAt(before, from)] = 1;
    const offsets = chunks.get(chunk);
    if (offsets === undefined) chunks.set(chunk, [from]);
    else if (offsets.length < MAX_OFFSETS) offsets.push(from);
  }
  return { start, end, marker: note.length > MAX_MARKER ? '...' : note, chunks, traces };
}

/** What stands in the place of the section: up to the kept end, which the text still has after it. */
function noteOf(rest: string, tail: string): string {
  const at = tail.length < MIN_LEFTOVER ? -1 : rest.indexOf(tail);
  return at < 0 ? rest : rest.slice(0, at);
}

const TRACES = 1 << 12;

/** A number that is the same for the same chunk: some of its characters. */
function traceAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 11) * 31 + text.charCodeAt(at + CHUNK - 1)) % TRACES;
}

function sharedPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Length of the longest suffix of `before` that `after` contains. Bisects, as it contains all shorter ones too. */
function keptTailLength(before: string, after: string, limit: number): number {
  let [low, high] = [0, Math.min(limit, after.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (after.includes(before.slice(before.length - middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function closeGap(text: string, gap: Gap): string {
  const { before, after } = gap;
  if (text === before) return after;
  if (text.length < CHUNK) return text;
  if (before.length >= CHUNK && text.includes(before)) return text.split(before).join(after);
  const { chunks, traces, ...section } = gap.section();
  if (chunks.size === 0) return text;
  let closed = '';
  let done = 0; // the text up to here was copied or left out
  let { marker } = section;
  for (let at = 0; at + CHUNK <= text.length; at++) {
    if (traces[traceAt(text, at)] === 0) continue;
    const offsets = chunks.get(text.slice(at, at + CHUNK));
    if (offsets === undefined) continue;
    const { from, to } = offsets
      .map((offset) => extendMatch({ text, at, least: done }, offset, { before, ...section }))
      .reduce((best, next) => (next.to - next.from > best.to - best.from ? next : best));
    at = to - 1;
    if (after.includes(text.slice(from, to))) continue; // the shortened text still contains it
    if (marker !== '' || from - done >= MIN_LEFTOVER) closed += text.slice(done, from) + marker;
    marker = '';
    done = to;
  }
  return text.length - done < MIN_LEFTOVER && marker === '' ? closed : closed + text.slice(done);
}

/** Extends a chunk found at `at` of the text, and at `offset` of the gap, to both sides while both are equal. */
function extendMatch(
  { text, at, least }: { text: string; at: number; least: number },
  offset: number,
  { before, start, end }: Pick<Cut, 'before'> & Pick<Section, 'start' | 'end'>,
): { from: number; to: number } {
  let [from, gapFrom] = [at, offset];
  while (from > least && gapFrom > start && text.charCodeAt(from - 1) === before.charCodeAt(gapFrom - 1)) {
    from--;
    gapFrom--;
  }
  let [to, gapTo] = [at + CHUNK, offset + CHUNK];
  while (gapTo < end && to < text.length && text.charCodeAt(to) === before.charCodeAt(gapTo)) {
    to++;
    gapTo++;
  }
  return { from, to };
}
