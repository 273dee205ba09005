/** `--every auto`: what can go goes when that pays. */
import { addAll } from '../lists.js';
import { repliesIn } from '../transcript/replies.js';
import type { Message, Transcript } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import { type Terms, termsFor } from './cache-terms.js';
import { arrivalOf, type Bounds, type Deciding, type Due, type Pending, sizeOf } from './pace.js';

export function whenItPays<T>(transcript: Transcript, cache: string | undefined, bounds: Bounds): Deciding<T> {
  return new WhenItPays(transcript, cache, bounds);
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

const HOUR = 3600;

/** What recorded requests say about time; seconds, but for moments. */
interface Clock {
  /** Up to this message. */
  readonly end: number;
  readonly time: number | undefined;
  /** When the last request was sent. */
  readonly sentAt: number | undefined;
  readonly idle: number;
  /** How long entries of the cache live: at least as long as recorded requests found them. */
  readonly lifetime: number;
}

/**
 * At each request: if the reads that it saves soon pay for what is written again behind it, if it was read again in
 * vain for long, or if the cache is cold. Of the possible cuts the one that saves most; behind it, all goes that can.
 */
class WhenItPays<T> implements Deciding<T> {
  private readonly terms: Terms;
  private readonly isWhole: boolean;
  private readonly first: number;
  private readonly arriving: ReturnType<typeof arrivalOf<T>>;
  private messages: readonly Message[] = [];
  private recorded: Transcript['recorded'];
  private readonly sizes: number[] = [];
  private readonly sums = [0]; // what is before each message, as it is sent
  private readonly replies: number[] = []; // where requests ended
  private decided = 0; // of them
  private requests = 0;
  private cached = 0; // the end of the last prompt
  private clock: Clock;
  // of all that is pending, where all goes at once
  private freed = 0;
  private freedBefore = 0; // of the last prompt
  private freedBehind: Due<T>['frees'][number][] = [];
  private since = 0; // its characters, each times the request from which they could go

  constructor(
    { model }: Transcript,
    private readonly cache: string | undefined,
    { from, isWhole = false }: Bounds,
  ) {
    this.arriving = arrivalOf();
    this.terms = termsFor(cache, model);
    this.isWhole = isWhole;
    this.first = from?.() ?? -1;
    this.clock = { end: 0, time: undefined, sentAt: undefined, idle: 0, lifetime: this.terms.lifetime };
  }

  add({ messages, recorded }: Transcript, dues: readonly Due<T>[]): void {
    const from = this.messages.length;
    const added = from === 0 ? messages : messages.slice(from);
    for (const { start } of repliesIn(added)) this.replies.push(from + start);
    this.messages = messages;
    this.recorded = recorded;
    this.arriving.add(dues);
  }

  /** Decides the requests that the model answered. */
  answered(end: number): readonly Due<T>[] {
    const taken: Due<T>[] = [];
    for (; this.decided < this.replies.length && this.replies[this.decided]! < end; this.decided++)
      if (this.replies[this.decided]! > this.cached) addAll(taken, this.decide(this.replies[this.decided]!));
    return taken;
  }

  going(end: number): readonly Due<T>[] {
    const taken = this.answered(end);
    return end > this.cached ? [...taken, ...this.decide(end)] : taken;
  }

  atLast(): readonly Due<T>[] {
    const end = this.messages.length;
    if (end <= this.cached) return [];
    const cut = this.cutAt(end, this.clockAt(end));
    return cut === undefined ? [] : this.arriving.pending.slice(cut).map(({ due }) => due);
  }

  private decide(end: number): readonly Due<T>[] {
    const clock = this.clockAt(end);
    const cut = this.cutAt(end, clock);
    this.requests++;
    this.clock = clock;
    this.cached = end;
    return cut === undefined ? [] : this.forget(this.arriving.take(cut));
  }

  private clockAt(end: number): Clock {
    let { time, lifetime } = this.clock;
    const { sentAt, idle } = this.clock;
    if (this.recorded !== undefined)
      for (let at = this.clock.end; at < end; at++) {
        const record = this.recorded(this.messages[at]!);
        time = record?.time ?? time;
        const usage = this.cache === undefined ? record?.usage : undefined;
        if (usage === undefined) continue;
        if (usage.cacheWrite1h > 0) lifetime = Math.max(lifetime, HOUR);
        if (usage.cacheRead * 2 > promptTokens(usage)) lifetime = Math.max(lifetime, idle);
      }
    const passed = time === undefined || sentAt === undefined ? 0 : (time - sentAt) / 1000;
    return { end, time, lifetime, sentAt: time, idle: passed };
  }

  /** From where on all goes that can; undefined if nothing does. */
  private cutAt(end: number, { idle, lifetime }: Clock): number | undefined {
    this.measure(end);
    if (end <= this.first) return undefined;
    for (const one of this.arriving.arrive(end)) this.arrived(one);
    const isCold = idle > lifetime;
    return this.isWhole ? this.wholeCut(isCold) : this.bestCut(isCold);
  }

  private measure(end: number): void {
    const { messages, sizes, sums } = this;
    for (let at = sizes.length; at < end; at++) {
      const { role, parts } = messages[at]!;
      sizes.push(role === 'meta' ? 0 : parts.reduce((sum, part) => sum + sizeOf(part), 0));
      sums.push(sums[at]! + sizes[at]!);
    }
  }

  private arrived(one: Pending<T>): void {
    one.since = this.requests + 1;
    if (!this.isWhole) return;
    for (const free of one.due.frees) {
      this.freed += free[1];
      this.since += free[1] * one.since;
      this.freedBehind.push(free);
    }
  }

  private wholeCut(isCold: boolean): number | undefined {
    const first = this.arriving.pending[0];
    if (first === undefined) return undefined;
    const { cached, freed } = this;
    for (const [at, size] of this.freedBehind) if (at < cached) this.freedBefore += size;
    this.freedBehind = this.freedBehind.filter(([at]) => at >= cached);
    const price = this.priceOf(first, this.freedBefore, isCold);
    const { read, soon } = this.terms;
    const inVain = (this.requests + 1) * freed - this.since; // characters that were read again
    const isPatienceOver = inVain * read >= PATIENCE * price;
    return freed > this.floor(isCold) && (isPatienceOver || freed * read >= price / soon) ? 0 : undefined;
  }

  private bestCut(isCold: boolean): number | undefined {
    const { pending } = this.arriving;
    const { read, soon } = this.terms;
    const floor = this.floor(isCold);
    let cut: number | undefined;
    let most = 0;
    let freed = 0;
    let freedBefore = 0;
    for (let index = pending.length - 1; index >= 0; index--) {
      for (const [at, size] of pending[index]!.due.frees) {
        freed += size;
        if (at < this.cached) freedBefore += size;
      }
      const gain = freed * read - this.priceOf(pending[index]!, freedBefore, isCold) / soon;
      if (freed > floor && gain >= most) [cut, most] = [index, gain];
    }
    return cut;
  }

  /** What is written again behind a cut costs more than to read it. */
  private priceOf({ due }: Pending<T>, freedBefore: number, isCold: boolean): number {
    const { write, read } = this.terms;
    const { sums, cached } = this;
    return isCold ? 0 : Math.max(0, sums[cached]! - sums[due.frees[0]![0]]! - freedBefore) * (write - read);
  }

  private floor(isCold: boolean): number {
    return isCold || this.sums[this.cached]! < PER_TOKEN * this.terms.least ? 0 : FLOOR;
  }

  /** What goes is no longer sent. */
  private forget(taken: readonly Due<T>[]): readonly Due<T>[] {
    const { sizes, sums } = this;
    let first = sizes.length;
    for (const { frees } of taken)
      for (const [at, size] of frees) {
        if (at < sizes.length) sizes[at]! -= size;
        first = Math.min(first, at);
      }
    for (let at = first; at < sizes.length; at++) sums[at + 1] = sums[at]! + sizes[at]!;
    [this.freed, this.freedBefore, this.freedBehind, this.since] = [0, 0, [], 0];
    return taken;
  }
}
