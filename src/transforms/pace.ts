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
  /** Those of lower rank go first; by default in the order of the list. */
  readonly rank?: number;
  /** The round that it is of, and how many calls it has; by default it is a round of one call. */
  readonly round?: unknown;
  readonly calls?: number;
}

/** So many go at once, and the calls of one round together. A plain number counts what can go, whatever its round. */
export type Counted = `${number} calls` | `${number} rounds`;

export interface Pace {
  /** How many go at once, `auto`, or the requests at which all goes, as the messages before which they stand. */
  readonly every: number | Counted | 'auto' | ReadonlySet<number>;
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

/** What `auto` decides about a history that grows. */
export interface Deciding<T> {
  /** The history with more messages, and what can go since they are there. */
  add(transcript: Transcript, dues: readonly Due<T>[]): void;
  readonly going: Going<T>;
  /** The same up to the last answered request before `end`. */
  readonly answered: Going<T>;
  /** What else goes from the request with all messages, which may be asked again with more of them. */
  atLast(): readonly Due<T>[];
}

type Rule = <T>(transcript: Transcript, cache: string | undefined, bounds: Bounds) => Deciding<T>;
let rule: Rule | undefined;

/** Sets what `auto` does: agents load it when a step asks for it. */
export function setRule(auto: Rule): void {
  rule = auto;
}

/** `dues` in the order in which they go. */
export function goingOf<T>(transcript: Transcript, dues: readonly Due<T>[], pace: Pace, bounds: Bounds = {}): Going<T> {
  const { every } = pace;
  if (isGrouped(every)) return inGroups(dues, every);
  if (every !== 'auto') return atRequests(dues, every);
  const deciding = decidingFor<T>(transcript, pace, bounds);
  deciding.add(transcript, dues);
  return (end) => deciding.going(end);
}

/** `auto` for a transcript of which nothing was decided yet. */
export function decidingFor<T>(transcript: Transcript, { promptCache }: Pace, bounds: Bounds): Deciding<T> {
  return rule!(transcript, promptCache, bounds);
}

/** The largest multiple of `every` that is at most `count`; 0 if there is none. */
export function wholeGroups(count: number, every: number): number {
  return count < every ? 0 : count - (count % every);
}

export function isGrouped(every: Pace['every']): every is number | Counted {
  return typeof every === 'number' || isCounted(every);
}

export function isCounted(every: Pace['every']): every is Counted {
  return typeof every === 'string' && every !== 'auto';
}

/** How many of the first ones are whole groups. */
export function inWholeGroups(ones: readonly Pick<Due<unknown>, 'round' | 'calls'>[], every: number | Counted): number {
  if (typeof every === 'number') return wholeGroups(ones.length, every);
  const [least, unit] = every.split(' ');
  const ends = new Map(ones.map(({ round }, at) => [round, at]));
  let whole = 0;
  let count = 0;
  let reach = 0;
  for (const [at, { round, calls = 1 }] of ones.entries()) {
    const end = round === undefined ? at : ends.get(round)!;
    reach = Math.max(reach, end);
    count += unit === 'calls' ? calls : Number(end === at);
    if (reach === at && count >= Number(least)) [whole, count] = [at + 1, 0];
  }
  return whole;
}

/** Something that can go and has not. */
export interface Pending<T> {
  readonly due: Due<T>;
  readonly rank: number;
  /** The request since which it can. */
  since: number;
}

export interface Arrival<T> {
  /** In the order in which they go. */
  readonly pending: readonly Pending<T>[];
  /** They are ready later than all that arrived. */
  add(dues: readonly Due<T>[]): void;
  /** When the next one is ready; infinite if none is left. */
  next(): number;
  /** Those that are ready before a message are pending from now on. */
  arrive(end: number): readonly Pending<T>[];
  /** All that are pending from an index on, or the first ones, are gone. */
  take(from: number, count?: number): Due<T>[];
}

export function arrivalOf<T>(): Arrival<T> {
  let coming: Pending<T>[] = [];
  let known = 0;
  const pending: Pending<T>[] = [];
  return {
    pending,
    add(dues) {
      coming = coming.slice(known);
      dues.forEach((due, index) => {
        if (due.ready < Number.POSITIVE_INFINITY) coming.push({ due, rank: due.rank ?? index, since: 0 });
      });
      coming.sort((a, b) => a.due.ready - b.due.ready);
      known = 0;
    },
    next: () => coming[known]?.due.ready ?? Number.POSITIVE_INFINITY,
    arrive(end) {
      const from = known;
      for (; known < coming.length && coming[known]!.due.ready < end; known++) {
        const next = coming[known]!;
        const at = pending.findLastIndex(({ rank }) => rank < next.rank) + 1;
        if (at === pending.length) pending.push(next);
        else pending.splice(at, 0, next);
      }
      return coming.slice(from, known);
    },
    take: (from, count = pending.length) => pending.splice(from, count).map(({ due }) => due),
  };
}

/** What goes in groups of so many. */
export function inGroups<T>(dues: readonly Due<T>[], every: number | Counted): Going<T> {
  const arriving = arrivalOf<T>();
  arriving.add(dues);
  const wholeNow = (pending: readonly Pending<T>[]) =>
    typeof every === 'number'
      ? wholeGroups(pending.length, every)
      : inWholeGroups(
          pending.map(({ due }) => due),
          every,
        );
  return (end) => {
    const taken: Due<T>[] = [];
    for (let next = arriving.next(); next < end; next = arriving.next()) {
      arriving.arrive(next + 1);
      const count = wholeNow(arriving.pending);
      if (count > 0) addAll(taken, arriving.take(0, count));
    }
    return taken;
  };
}

function atRequests<T>(dues: readonly Due<T>[], ends: ReadonlySet<number>): Going<T> {
  const arriving = arrivalOf<T>();
  arriving.add(dues);
  const times = [...ends].sort((a, b) => a - b);
  return (end) => {
    const last = times.findLast((time) => time <= end);
    if (last === undefined) return [];
    arriving.arrive(last);
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
