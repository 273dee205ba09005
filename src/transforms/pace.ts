/** `--every`: when calls go that can go. All of it is a function of the history: it never looks at a clock. */
import { addAll } from '../lists.js';
import { repliesIn } from '../transcript/replies.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Part, Transcript, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import { termsFor } from './cache-terms.js';

/** Something that can go. */
export interface Due<T> {
  readonly what: T;
  /** It can go from each request that has this message. */
  readonly ready: number;
  /** What goes with it, by message, in order. */
  readonly frees: readonly (readonly [message: number, size: number])[];
}

export interface Pace {
  readonly every: number | 'auto';
  readonly promptCache: string | undefined;
}

interface Bounds {
  /** No request without this message lets anything go. */
  from?(): number;
  /** All goes at once: of what went, nobody knows the moments. */
  readonly isWhole?: boolean;
}

/** What goes until the history has `end` messages, which never shrinks, and has not gone before. */
export type Going<T> = (end: number) => readonly Due<T>[];

/** `dues` in the order in which they go. */
export function goingOf<T>(
  transcript: Transcript,
  dues: readonly Due<T>[],
  { every, promptCache }: Pace,
  bounds: Bounds = {},
): Going<T> {
  const arriving = arrivalOf(dues);
  return every === 'auto' ? whenItPays(transcript, arriving, promptCache, bounds) : inGroups(arriving, every);
}

/** The largest multiple of `every` that is at most `count`; 0 if there is none. */
export function wholeGroups(count: number, every: number): number {
  return count < every ? 0 : count - (count % every);
}

interface Arrival<T> {
  /** When the next one is ready; infinite if none is left. */
  next(): number;
  /** Those that can go and have not, in order, with those that are ready before a message. */
  before(end: number): Due<T>[];
  /** All from an index on, or the first ones, are gone. */
  take(from: number, count?: number): Due<T>[];
}

function arrivalOf<T>(dues: readonly Due<T>[]): Arrival<T> {
  const coming = dues.map((due, place) => ({ due, place })).filter(({ due }) => due.ready < Number.POSITIVE_INFINITY);
  coming.sort((a, b) => a.due.ready - b.due.ready);
  let known = 0;
  let pending: typeof coming = [];
  return {
    next: () => coming[known]?.due.ready ?? Number.POSITIVE_INFINITY,
    before(end) {
      const from = known;
      while (known < coming.length && coming[known]!.due.ready < end) known++;
      if (known > from) pending = [...pending, ...coming.slice(from, known)].sort((a, b) => a.place - b.place);
      return pending.map(({ due }) => due);
    },
    take: (from, count = pending.length) => pending.splice(from, count).map(({ due }) => due),
  };
}

function inGroups<T>(arriving: Arrival<T>, every: number): Going<T> {
  return (end) => {
    const gone: Due<T>[] = [];
    for (let next = arriving.next(); next < end; next = arriving.next()) {
      const count = wholeGroups(arriving.before(next + 1).length, every);
      addAll(gone, arriving.take(0, count));
    }
    return gone;
  };
}

/**
 * At each request: if as much would go as had to be written again behind it, or if the cache is cold. Of the possible
 * cuts the one that frees most beyond its price; behind a cut, all goes that can.
 */
function whenItPays<T>(
  { messages, recorded, model }: Transcript,
  arriving: Arrival<T>,
  cache: string | undefined,
  { from, isWhole = false }: Bounds,
): Going<T> {
  const { price, ...terms } = termsFor(cache, model);
  let { lifetime } = terms;
  const sizes: number[] = [];
  const sums = [0]; // what is before each message, as it was sent
  let cached = 0; // the end of the last prompt
  let time: number | undefined;
  let asked: number | undefined; // when the last request was sent
  let idle = 0;
  const read = (end: number) => {
    for (let at = sizes.length; at < end; at++) {
      const message = messages[at]!;
      const record = recorded?.(message);
      time = record?.time ?? time;
      if (cache === undefined && record?.usage !== undefined) learn(record.usage);
      sizes.push(message.role === 'meta' ? 0 : message.parts.reduce((sum, part) => sum + sizeOf(part), 0));
      sums.push(sums[at]! + sizes[at]!);
    }
  };
  /** Entries live at least as long as recorded requests found them. */
  const learn = (usage: Usage) => {
    if (usage.cacheWrite1h > 0) lifetime = Math.max(lifetime, HOUR);
    if (usage.cacheRead * 2 > promptTokens(usage)) lifetime = Math.max(lifetime, idle);
  };
  /** From where on all goes that can; undefined if nothing does. */
  const cutIn = (pending: readonly Due<T>[], isCold: boolean): number | undefined => {
    let cut: number | undefined;
    let most = 0;
    let freed = 0;
    let freedBefore = 0; // of the last prompt
    for (let index = pending.length - 1; index >= 0; index--) {
      const { frees } = pending[index]!;
      for (const [at, size] of frees) {
        freed += size;
        if (at < cached) freedBefore += size;
      }
      const again = isCold ? 0 : Math.max(0, sums[cached]! - sums[frees[0]![0]]! - freedBefore);
      const gain = freed - price * again;
      if (freed > 0 && gain >= most && !(isWhole && index > 0)) [cut, most] = [index, gain];
    }
    return cut;
  };
  /** What goes is no longer sent. */
  const forget = (gone: readonly Due<T>[]) => {
    let first = sizes.length;
    for (const { frees } of gone)
      for (const [at, size] of frees) {
        if (at < sizes.length) sizes[at]! -= size;
        first = Math.min(first, at);
      }
    for (let at = first; at < sizes.length; at++) sums[at + 1] = sums[at]! + sizes[at]!;
    return gone;
  };
  const decide = (end: number): readonly Due<T>[] => {
    read(end);
    idle = time === undefined || asked === undefined ? 0 : (time - asked) / 1000;
    asked = time;
    const cut = end <= first ? undefined : cutIn(arriving.before(end), idle > lifetime);
    cached = end;
    return cut === undefined ? [] : forget(arriving.take(cut));
  };
  const first = from?.() ?? -1;
  const ends = repliesIn(messages).map(({ start }) => start);
  let known = 0;
  return (end) => {
    const gone: Due<T>[] = [];
    for (; known < ends.length && ends[known]! < end; known++)
      if (ends[known]! > cached) addAll(gone, decide(ends[known]!));
    if (end > cached) addAll(gone, decide(end));
    return gone;
  };
}

const HOUR = 3600;
/** Characters that stand for a picture or a file. */
const MEDIA = 6000;

/** Characters are enough to compare what goes with what stays, and no tokenizer is loaded. */
export function sizeOf(part: Part | ContentPart): number {
  if (part.type === 'media') return MEDIA;
  if (part.type === 'result') return part.content.reduce((sum, one) => sum + sizeOf(one), 0);
  if (part.type === 'call') return part.tool.length + textOf(part.input).length;
  return part.text === undefined ? 0 : textOf(part.text).length;
}
