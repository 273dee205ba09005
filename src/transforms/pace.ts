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
  /** How many calls go at once, `auto`, or the requests at which all goes, as the messages before which they stand. */
  readonly every: number | 'auto' | ReadonlySet<number>;
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
  if (typeof every === 'object') return atRequests(arriving, every);
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

function atRequests<T>(arriving: Arrival<T>, ends: ReadonlySet<number>): Going<T> {
  const times = [...ends].sort((a, b) => a - b);
  return (end) => {
    const last = times.findLast((time) => time <= end);
    if (last === undefined) return [];
    arriving.before(last);
    return arriving.take(0);
  };
}

/** What goes at once has at least so many characters, unless the cache is cold: less is not worth a rewrite. */
const FLOOR = 12_000;
/** All goes at last when it has been read again for so many times what a rewrite costs. */
const PATIENCE = 4;

/**
 * At each request: if the reads that it saves soon pay for what is written again behind it, if it was read again in
 * vain for long, or if the cache is cold. Of the possible cuts the one that saves most; behind it, all goes that can.
 */
function whenItPays<T>(
  { messages, recorded, model }: Transcript,
  arriving: Arrival<T>,
  cache: string | undefined,
  { from, isWhole = false }: Bounds,
): Going<T> {
  const { read, write, soon, ...terms } = termsFor(cache, model);
  let { lifetime } = terms;
  const sizes: number[] = [];
  const sums = [0]; // what is before each message, as it is sent
  const since = new Map<Due<T>, number>(); // the request from which each could go
  let requests = 0;
  let cached = 0; // the end of the last prompt
  let time: number | undefined;
  let asked: number | undefined; // when the last request was sent
  let idle = 0;
  const look = (end: number) => {
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
    let inVain = 0; // characters that were read again
    for (let index = pending.length - 1; index >= 0; index--) {
      const due = pending[index]!;
      for (const [at, size] of due.frees) {
        freed += size;
        inVain += size * (requests - since.get(due)!);
        if (at < cached) freedBefore += size;
      }
      const again = isCold ? 0 : Math.max(0, sums[cached]! - sums[due.frees[0]![0]]! - freedBefore);
      const price = again * (write - read);
      const gain = isWhole && inVain * read >= PATIENCE * price ? freed * read : freed * read - price / soon;
      if (freed > (isCold ? 0 : FLOOR) && gain >= most && !(isWhole && index > 0)) [cut, most] = [index, gain];
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
  const first = from?.() ?? -1;
  const decide = (end: number): readonly Due<T>[] => {
    look(end);
    requests++;
    idle = time === undefined || asked === undefined ? 0 : (time - asked) / 1000;
    asked = time;
    const pending = end <= first ? [] : arriving.before(end);
    for (const due of pending) if (!since.has(due)) since.set(due, requests);
    const cut = cutIn(pending, idle > lifetime);
    cached = end;
    return cut === undefined ? [] : forget(arriving.take(cut));
  };
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
