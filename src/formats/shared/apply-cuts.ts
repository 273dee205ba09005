/** Logs that say the text of a result twice: what was cut out of it goes from every place that repeats it. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { mapDeep, REMOVED } from './map-values.js';
import { isResult } from './parts.js';

/** What a text was, and what is left of it. */
export interface Cut {
  readonly before: string;
  readonly after: string;
}

/** A result that was cut, by the id of its call. */
export interface CutResult extends Cut {
  readonly callId: string;
}

/** The results of a message that say something else now. */
export function cutsBetween(before: Message, after: Message): CutResult[] {
  const now = after.parts.filter(isResult);
  const was = before.parts.filter(isResult);
  return was.flatMap((part, index) => {
    const left = now.length === was.length ? now[index]! : now.find(({ callId }) => callId === part.callId);
    if (left === undefined || left.content === part.content) return [];
    const cut = { callId: part.callId ?? '', before: joinTexts(part.content), after: joinTexts(left.content) };
    return cut.before === cut.after ? [] : [cut];
  });
}

/**
 * Maps a value that repeats texts which were cut: it keeps its shape, and is the very node where nothing was cut. A string that is such a text, or holds it, says what is left of
 * it; one that repeats a piece, or the text without line numbers, loses what was cut. Of a list of lines, those go that were cut.
 */
export function cutAlike(value: JsonNode, cuts: readonly Cut[]): Json {
  const gaps = cuts.flatMap(spellings).map(gapOf);
  return mapDeep(value, (node, _, isItem) => {
    if (!node.isString) return undefined;
    const { text } = node;
    if (isItem && text.trim().length >= LETTERS && gaps.some(({ lines }) => lines.has(text))) return REMOVED;
    const left = gaps.filter(({ concerns }) => concerns?.(text) !== false).reduce(closeGap, text);
    return left === text ? node : left;
  }) as Json;
}

/** Agents number the lines of files that they read; what they remember beside it has no numbers. */
const LINE_NUMBER = /^ *\d+(?:\u2192|\t| \| )/gm;

function spellings(cut: Cut): Spelling[] {
  const plain = { before: cut.before.replace(LINE_NUMBER, ''), after: cut.after.replace(LINE_NUMBER, '') };
  if (plain.before === cut.before) return [cut];
  const lines = new Set(cut.before.split('\n'));
  const isNumbered = (text: string) =>
    text.split('\n').some((line) => lines.has(line) && line.search(LINE_NUMBER) === 0);
  return [
    { ...cut, concerns: isNumbered },
    { ...plain, concerns: (text) => !isNumbered(text) },
  ];
}

/** One of two, with line numbers or without, concerns strings that are spelled alike. */
interface Spelling extends Cut {
  concerns?(text: string): boolean;
}

/** The stretch of a text that was cut out. */
interface Gap extends Spelling {
  readonly start: number;
  readonly end: number;
  /** What stands in its place. */
  readonly mark: string;
  /** Pieces of it, and where each begins (the first places). */
  readonly grains: ReadonlyMap<string, readonly number[]>;
  readonly lines: ReadonlySet<string>;
}

/** Two texts that share as many characters repeat each other. */
const GRAIN = 32;
/** A piece of fewer different characters (a rule, an indentation) may stand anywhere. */
const LETTERS = 6;
/** What is left of a text between two pieces that went, or behind the last, has to be as long to be worth keeping. */
const SHRED = 2 * GRAIN;
const PLACES = 8;
const LONGEST_MARK = 200;

function gapOf(spelling: Spelling): Gap {
  const { before, after } = spelling;
  const start = sharedHead(before, after);
  const end = before.length - keptTail(before, after, before.length - start);
  const note = after.slice(start);
  const grains = new Map<string, number[]>();
  for (let at = start; at < end; at += GRAIN) {
    const from = Math.min(at, end - GRAIN);
    const grain = from < start ? '' : before.slice(from, from + GRAIN);
    if (new Set(grain).size < LETTERS) continue;
    const places = grains.get(grain);
    if (places === undefined) grains.set(grain, [from]);
    else if (places.length < PLACES) places.push(from);
  }
  const left = new Set(after.split('\n'));
  const lines = new Set(before.includes('\n') ? before.split('\n').filter((line) => !left.has(line)) : []);
  return { ...spelling, start, end, mark: note.length > LONGEST_MARK ? '...' : note, grains, lines };
}

function sharedHead(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** How much of the end of `before` stands in `after`: if so many characters do, fewer do as well. */
function keptTail(before: string, after: string, limit: number): number {
  let [low, high] = [0, Math.min(limit, after.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (after.includes(before.slice(before.length - middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function closeGap(text: string, gap: Gap): string {
  const { before, after, grains } = gap;
  if (text === before) return after;
  if (text.length < GRAIN) return text;
  if (before.length >= GRAIN && text.includes(before)) return text.split(before).join(after);
  if (grains.size === 0) return text;
  let closed = '';
  let told = 0; // up to where the text is in `closed`, or was left out
  let { mark } = gap;
  for (let at = 0; at + GRAIN <= text.length; at++) {
    const places = grains.get(text.slice(at, at + GRAIN));
    if (places === undefined) continue;
    const [from, to] = places
      .map((place) => stretchAt(text, at, told, place, gap))
      .reduce((best, next) => (next[1] - next[0] > best[1] - best[0] ? next : best));
    at = to - 1;
    if (after.includes(text.slice(from, to))) continue; // what stays says it too
    if (mark !== '' || from - told >= SHRED) closed += text.slice(told, from) + mark;
    mark = '';
    told = to;
  }
  return text.length - told < SHRED && mark === '' ? closed : closed + text.slice(told);
}

/** As far as the text goes on like the gap, on both sides of a piece that stands at `at` here and at `place` there. */
function stretchAt(
  text: string,
  at: number,
  least: number,
  place: number,
  { before, start, end }: Gap,
): [from: number, to: number] {
  let [from, to] = [at, at + GRAIN];
  for (
    let there = place;
    from > least && there > start && text.charCodeAt(from - 1) === before.charCodeAt(there - 1);
    there--
  )
    from--;
  for (
    let there = place + GRAIN;
    there < end && to < text.length && text.charCodeAt(to) === before.charCodeAt(there);
    there++
  )
    to++;
  return [from, to];
}
