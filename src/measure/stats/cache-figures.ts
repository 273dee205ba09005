/** Figures of cache misses, by session and in all. */
import type { Picodollars } from '../../decimals.js';
import type { RequestFacts } from './request.js';
import { type RequestSum, sumRequests } from './request-sum.js';

/** In the order in which they are tried, except that idle time wins over a prompt that is only known to be shorter. */
export const CACHE_CAUSES = [
  ...(['first', 'model', 'tools', 'system', 'rewritten', 'idle', 'user', 'provider', 'unexplained'] as const),
] as const;
export type CacheCause = (typeof CACHE_CAUSES)[number];

export interface CacheMiss {
  readonly file: string;
  readonly line: number;
  readonly session: string | undefined;
  /** Zero-based position among the requests of the session. */
  readonly request: number;
  /** The index of the message with the reply. */
  readonly index: number;
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly cause: CacheCause;
  /**
   * The first message that is not as in the request before, if the recording holds both prompts; else the reply to the
   * last earlier prompt that was still read.
   */
  readonly changed: number | undefined;
  /** Seconds since the request before. */
  readonly idle: number | undefined;
  readonly possible: number;
  readonly read: number;
  readonly missed: number;
  /** What the missed tokens cost more than cache reads; undefined without a known price. */
  readonly cost: Picodollars | undefined;
}

/** A sum of misses. */
export interface MissSum {
  readonly requests: number;
  readonly missed: number;
  /** Undefined if any price is unknown. */
  readonly cost: Picodollars | undefined;
  /** The cost of the misses with a known price. */
  readonly knownCost: Picodollars;
}

export interface CauseSum extends MissSum {
  readonly cause: CacheCause;
}

export interface CacheFigures {
  /** Requests with a prompt, those that missed nothing included. */
  readonly requests: number;
  /** Tokens that requests could have read: the prompt before, as far as it is cached. */
  readonly possible: number;
  /** Those of them that they read. */
  readonly read: number;
  readonly missed: MissSum;
  /** By cause, most expensive first; `first` counts requests that had nothing to read. */
  readonly causes: readonly CauseSum[];
  /** What the requests cost in all. */
  readonly paid: RequestSum;
}

export interface CacheSession extends CacheFigures {
  readonly file: string;
  readonly session: string | undefined;
  /** In order of their requests. */
  readonly misses: readonly CacheMiss[];
}

/** What a request could have read from the cache, and read. */
export interface Judged {
  readonly request: RequestFacts;
  readonly possible: number;
  readonly read: number;
  /** Nothing was sent before it. */
  readonly isFirst: boolean;
}

export function figuresOf(judged: readonly Judged[], misses: readonly CacheMiss[]): CacheFigures {
  const first = judged.filter(({ isFirst }) => isFirst).length;
  return {
    requests: judged.length,
    possible: judged.reduce((sum, { possible }) => sum + possible, 0),
    read: judged.reduce((sum, { read }) => sum + read, 0),
    missed: sumMisses(misses),
    causes: causesOf(first, misses),
    paid: sumRequests(judged.map(({ request }) => request)),
  };
}

function causesOf(first: number, misses: readonly CacheMiss[]): CauseSum[] {
  const rows = CACHE_CAUSES.map((cause) => ({ cause, ...sumMisses(misses.filter((miss) => miss.cause === cause)) }));
  return rows
    .map((row) => (row.cause === 'first' ? { ...row, requests: first } : row))
    .filter(({ requests }) => requests > 0)
    .sort(byCost);
}

function sumMisses(misses: readonly CacheMiss[]): MissSum {
  const knownCost = misses.reduce((sum, { cost }) => sum + (cost ?? 0n), 0n);
  return {
    requests: misses.length,
    missed: misses.reduce((sum, { missed }) => sum + missed, 0),
    cost: misses.some(({ cost }) => cost === undefined) ? undefined : knownCost,
    knownCost,
  };
}

/** Most expensive first; those without a price by tokens, after the others. */
export function byCost(a: Pick<MissSum, 'cost' | 'missed'>, b: Pick<MissSum, 'cost' | 'missed'>): number {
  const [x, y] = [a.cost ?? -1n, b.cost ?? -1n];
  if (x !== y) return x > y ? -1 : 1;
  return b.missed - a.missed;
}
