/** `--every`: when calls go that can go. All of it is a function of the history: it never looks at a clock. */
import { addAll } from '../lists.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Part, Transcript } from '../transcript/types.js';

/** Something that can go. */
export interface Due<T> {
  readonly what: T;
  /** It can go from each request that has this message. */
  readonly ready: number;
  /** What goes with it, by message, in order. Only `auto` asks for it. */
  readonly frees: readonly (readonly [message: number, size: number])[];
}

export interface Pace {
  /** How many calls go at once, `auto`, or the requests at which all goes, as the messages before which they stand. */
  readonly every: number | 'auto' | ReadonlySet<number>;
  readonly promptCache: string | undefined;
}

export interface Bounds {
  /** No request without this message lets anything go. */
  from?(): number;
  /** All goes at once: of what went, nobody knows the moments. */
  readonly isWhole?: boolean;
}

/** What goes until the history has `end` messages, which never shrinks, and has not gone before. */
export type Going<T> = (end: number) => readonly Due<T>[];

type Rule = <T>(transcript: Transcript, arriving: Arrival<T>, cache: string | undefined, bounds: Bounds) => Going<T>;
let rule: Rule | undefined;

/** Sets what `auto` does: agents load it when a step asks for it. */
export function setRule(auto: Rule): void {
  rule = auto;
}

/** `dues` in the order in which they go. */
export function goingOf<T>(
  transcript: Transcript,
  dues: readonly Due<T>[],
  { every, promptCache }: Pace,
  bounds: Bounds = {},
): Going<T> {
  if (typeof every === 'number') return inGroups(dues, every);
  const arriving = arrivalOf(dues);
  return every === 'auto' ? rule!(transcript, arriving, promptCache, bounds) : atRequests(arriving, every);
}

/** The largest multiple of `every` that is at most `count`; 0 if there is none. */
export function wholeGroups(count: number, every: number): number {
  return count < every ? 0 : count - (count % every);
}

export interface Arrival<T> {
  /** When the next one is ready; infinite if none is left. */
  next(): number;
  /** Those that can go and have not, in order, with those that are ready before a message. */
  before(end: number): Due<T>[];
  /** Their number. */
  countBefore(end: number): number;
  /** All from an index on, or the first ones, are gone. */
  take(from: number, count?: number): Due<T>[];
}

function arrivalOf<T>(dues: readonly Due<T>[]): Arrival<T> {
  const coming = dues.map((due, place) => ({ due, place })).filter(({ due }) => due.ready < Number.POSITIVE_INFINITY);
  coming.sort((a, b) => a.due.ready - b.due.ready);
  let known = 0;
  const pending: typeof coming = [];
  const countBefore = (end: number) => {
    for (; known < coming.length && coming[known]!.due.ready < end; known++) {
      const next = coming[known]!;
      const at = pending.findLastIndex(({ place }) => place < next.place) + 1;
      if (at === pending.length) pending.push(next);
      else pending.splice(at, 0, next);
    }
    return pending.length;
  };
  return {
    next: () => coming[known]?.due.ready ?? Number.POSITIVE_INFINITY,
    countBefore,
    before(end) {
      countBefore(end);
      return pending.map(({ due }) => due);
    },
    take: (from, count = pending.length) => pending.splice(from, count).map(({ due }) => due),
  };
}

/** What goes in groups of so many. */
export function inGroups<T>(dues: readonly Due<T>[], every: number): Going<T> {
  const arriving = arrivalOf(dues);
  return (end) => {
    const taken: Due<T>[] = [];
    for (let next = arriving.next(); next < end; next = arriving.next()) {
      const count = wholeGroups(arriving.countBefore(next + 1), every);
      if (count > 0) addAll(taken, arriving.take(0, count));
    }
    return taken;
  };
}

function atRequests<T>(arriving: Arrival<T>, ends: ReadonlySet<number>): Going<T> {
  const times = [...ends].sort((a, b) => a - b);
  return (end) => {
    const last = times.findLast((time) => time <= end);
    if (last === undefined) return [];
    arriving.countBefore(last);
    return arriving.take(0);
  };
}

/** Characters that stand for a picture or a file. */
const MEDIA = 6000;

/** Characters are enough to compare what goes with what stays, and no tokenizer is loaded. */
export function sizeOf(part: Part | ContentPart): number {
  if (part.type === 'media') return MEDIA;
  if (part.type === 'result') return part.content.reduce((sum, one) => sum + sizeOf(one), 0);
  if (part.type === 'call') return part.tool.length + textOf(part.input).length;
  return part.text === undefined ? 0 : textOf(part.text).length;
}
