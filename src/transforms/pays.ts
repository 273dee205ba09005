/** `--every auto`: what can go goes when that pays. */
import { addAll } from '../lists.js';
import { repliesIn } from '../transcript/replies.js';
import type { Transcript, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import { termsFor } from './cache-terms.js';
import { type Arrival, type Bounds, type Due, type Going, setRule, sizeOf } from './pace.js';

/** From now on, steps can go by it. */
export function loadAuto(): void {
  setRule(whenItPays);
}

/**
 * What goes at once has at least so many characters, unless the cache is cold or the prompt is hardly long enough for
 * it: less is not worth a rewrite.
 */
const FLOOR = 12_000;
/** A prompt of fewer characters for each token of the shortest one: half of it may stand beside the messages. */
const PER_TOKEN = 2;
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
  const { read, write, soon, least, ...terms } = termsFor(cache, model);
  let { lifetime } = terms;
  const sizes: number[] = [];
  const sums = [0]; // what is before each message, as it is sent
  const since = new Map<Due<T>, number>(); // the request from which each could go
  let requests = 0;
  let cached = 0; // the end of the last prompt
  let time: number | undefined;
  let sentAt: number | undefined; // when the last request was sent
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
    const floor = isCold || sums[cached]! < PER_TOKEN * least ? 0 : FLOOR;
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
      if (freed > floor && gain >= most && !(isWhole && index > 0)) [cut, most] = [index, gain];
    }
    return cut;
  };
  /** What goes is no longer sent. */
  const forget = (taken: readonly Due<T>[]) => {
    let first = sizes.length;
    for (const { frees } of taken)
      for (const [at, size] of frees) {
        if (at < sizes.length) sizes[at]! -= size;
        first = Math.min(first, at);
      }
    for (let at = first; at < sizes.length; at++) sums[at + 1] = sums[at]! + sizes[at]!;
    return taken;
  };
  const first = from?.() ?? -1;
  const decide = (end: number): readonly Due<T>[] => {
    look(end);
    requests++;
    idle = time === undefined || sentAt === undefined ? 0 : (time - sentAt) / 1000;
    sentAt = time;
    const pending = end <= first ? [] : arriving.before(end);
    for (const due of pending) if (!since.has(due)) since.set(due, requests);
    const cut = cutIn(pending, idle > lifetime);
    cached = end;
    return cut === undefined ? [] : forget(arriving.take(cut));
  };
  const ends = repliesIn(messages).map(({ start }) => start);
  let known = 0;
  return (end) => {
    const taken: Due<T>[] = [];
    for (; known < ends.length && ends[known]! < end; known++)
      if (ends[known]! > cached) addAll(taken, decide(ends[known]!));
    if (end > cached) addAll(taken, decide(end));
    return taken;
  };
}

const HOUR = 3600;
