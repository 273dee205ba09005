/** Where a transcript may be cut to fit a budget. */
import { isOpen, pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';

/** `auto`: rounds where whole exchanges are not enough. */
type Unit = 'exchange' | 'round' | 'auto';

/** The messages from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What to keep besides the system prompt: the end of the transcript with user messages before it, or its beginning with
 * the reply.
 */
export interface Kept extends Span {
  readonly extra: readonly Span[];
}

/** User messages that open an exchange; several in a row are one opening, even with records between them. */
export function openingsOf(messages: readonly Message[]): Span[] {
  const openings: { start: number; end: number }[] = [];
  let isOpen = false;
  messages.forEach(({ role }, index) => {
    if (role === 'meta') return;
    if (role === 'user' && isOpen) openings[openings.length - 1]!.end = index + 1;
    else if (role === 'user') openings.push({ start: index, end: index + 1 });
    isOpen = role === 'user';
  });
  return openings;
}

/**
 * Where the transcript may be cut: before openings and rounds, but never between a call and its result, or in a group.
 */
export function cutsIn(messages: readonly Message[], openings: readonly Span[], unit: Unit): number[] {
  const tied = tiesIn(messages);
  return startsOf(messages, openings, unit).filter((start) => !tied[start]);
}

/** Whether messages that are added leave the places where the transcript may be cut as they are. */
export function cutsGrow({ messages }: Transcript, unit: Unit): boolean {
  return pairsAsItGrows(pair(messages)) && !tiesLater(messages, unit);
}

/** Whether messages that are added tie an earlier place, where the transcript could be cut before. */
function tiesLater(messages: readonly Message[], unit: Unit): boolean {
  const tied = tiesIn(messages);
  const later = new Set(startsOf(messages, openingsOf(messages), unit).filter((start) => tied[start]));
  for (const { message, call } of pair(messages).results)
    if (call !== undefined && call.message < message) later.delete(message);
  const groups = new Set<string>();
  messages.forEach(({ group }, index) => {
    if (group === undefined) return;
    if (groups.has(group)) later.delete(index);
    groups.add(group);
  });
  return later.size > 0;
}

function startsOf(messages: readonly Message[], openings: readonly Span[], unit: Unit): number[] {
  const starts = new Set(openings.map(({ start }) => start));
  if (unit !== 'exchange') for (const start of roundStarts(messages)) starts.add(start);
  return [...starts].sort((a, b) => a - b);
}

/** A round begins with a message of the model after a message of another role, or after one that holds results. */
function roundStarts(messages: readonly Message[]): number[] {
  let continues = false;
  return messages.flatMap(({ role, parts }, index) => {
    if (role === 'meta') return [];
    const isStart = role === 'assistant' && !continues;
    continues = role === 'assistant' && !parts.some(({ type }) => type === 'result');
    return isStart ? [index] : [];
  });
}

/** For each message, whether a cut before it would split a pair of call and result, or a group. */
function tiesIn(messages: readonly Message[]): boolean[] {
  const change = new Array<number>(messages.length + 1).fill(0);
  const tie = (first: number, last: number) => {
    change[first + 1]!++;
    change[last + 1]!--;
  };
  for (const call of pair(messages).calls)
    if (!isOpen(call)) {
      const [first, last] = [call.results[0]!.message, call.results.at(-1)!.message]; // they are in order
      tie(Math.min(call.message, first), Math.max(call.message, last));
    }
  const groups = new Map<string, { first: number; last: number }>();
  messages.forEach(({ group }, index) => {
    if (group !== undefined) groups.set(group, { first: groups.get(group)?.first ?? index, last: index });
  });
  for (const { first, last } of groups.values()) tie(first, last);
  return runningSums(change)
    .slice(1)
    .map((open) => open > 0);
}

/** What each cut keeps: the messages behind it, the task, and the opening of the exchange that it cuts. */
export function endingsOf(
  messages: readonly Message[],
  openings: readonly Span[],
  cuts: readonly number[],
  keepsTask: boolean,
): Kept[] {
  const task = keepsTask ? openings.slice(0, 1) : [];
  let opened = -1; // the last opening up to the cut
  return cuts.map((start) => {
    while (opened + 1 < openings.length && openings[opened + 1]!.start <= start) opened++;
    return { start, end: messages.length, extra: openingsBefore(start, task, openings[opened]) };
  });
}

/** The task, and the opening of the exchange that is cut. */
function openingsBefore(cut: number, task: readonly Span[], opening: Span | undefined): Span[] {
  return [...new Set([...task, ...(opening === undefined ? [] : [opening])])].filter(({ start }) => start < cut);
}

/** Whether a candidate parts no exchange, where only exchanges go as long as that is enough. */
export function isWholeIn(
  openings: readonly Span[],
  { unit, strategy }: { readonly unit: Unit; readonly strategy: 'last' | 'first' },
): (kept: Kept) => boolean {
  const starts = new Set(openings.map(({ start }) => start));
  return ({ start, end }) => unit !== 'auto' || starts.has(strategy === 'last' ? start : end);
}

/**
 * The cut of a transcript that grows message by message: whenever the messages so far exceed `room`, the cut moves on
 * to the first whole candidate that leaves at most `low`, or else to the last whole one so far if it leaves at most
 * `room`, or else to the first of all that leaves at most `low`, or else to the last of all so far. So it does not move
 * with each request. The function that is returned finds the index of the candidate for the messages before `end`,
 * which never shrinks.
 */
export function steadyCut(
  candidates: readonly Kept[],
  sizeOf: (kept: Kept) => number,
  { room, low, isWhole }: { readonly room: number; readonly low: number; isWhole(kept: Kept): boolean },
): (end: number) => number {
  let at = 0;
  let seen = 0;
  const sizeAt = (index: number) => sizeOf({ ...candidates[index]!, end: seen + 1 });
  const next = () => {
    let [first, last, whole]: (number | undefined)[] = [];
    for (let index = at + 1; index < candidates.length && candidates[index]!.start <= seen; index++) {
      last = index;
      const isEnough = sizeAt(index) <= low;
      if (isEnough) first ??= index;
      if (!isWhole(candidates[index]!)) continue;
      whole = index;
      if (isEnough) return whole;
    }
    return whole !== undefined && sizeAt(whole) <= room ? whole : (first ?? last ?? at);
  };
  return (end) => {
    for (; seen < end; seen++) if (sizeAt(at) > room) at = next();
    return at;
  };
}

/** `[0, a, a + b, …]` */
export function runningSums(numbers: readonly number[]): number[] {
  const sums = [0];
  for (const number of numbers) sums.push(sums[sums.length - 1]! + number);
  return sums;
}
