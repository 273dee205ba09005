/** Sums of requests: what they used and cost, and how sure that is. */
import type { Picodollars } from '../../decimals.js';
import type { Usage } from '../../transcript/types.js';
import { addTo, addUsage, type Figures, NO_USAGE, promptTokens } from '../../transcript/usage.js';
import type { RequestFacts } from './request.js';

/** The sum of requests. */
export interface RequestSum {
  readonly requests: number;
  readonly usage: Usage;
  /** Prompt and output tokens. */
  readonly total: number;
  /** Undefined if any price is unknown. */
  readonly cost: Picodollars | undefined;
  /** The cost of the requests with a known price. */
  readonly knownCost: Picodollars;
  /** The number of requests without a known price. */
  readonly unpriced: number;
  /** The source of `knownCost`; undefined without requests. */
  readonly costSource: RequestFacts['costSource'] | undefined;
  /** Undefined without requests. */
  readonly tokensSource: RequestFacts['tokensSource'] | undefined;
  /** Whether the usage of any request was recorded. */
  readonly isRecorded: boolean;
  /** The number of requests whose usage is not recorded. */
  readonly replayed: number;
  /** The part of recorded totals that no recorded request explains. */
  readonly unexplained: Unexplained | undefined;
}

export interface Unexplained {
  readonly usage: Usage;
  /** Undefined if any price is unknown. */
  readonly cost: Picodollars | undefined;
}

/** Sources from the most to the least certain. A sum has the least certain source of its parts. */
export const CERTAINTY = ['recorded', 'computed', 'exact', 'estimated', 'unpriced'] as const;

type Source = (typeof CERTAINTY)[number];

function lessCertain<S extends Source>(a: S | undefined, b: S): S {
  return a !== undefined && a !== b && CERTAINTY.indexOf(a) > CERTAINTY.indexOf(b) ? a : b;
}

/** A running sum, which changes. Many of them are in memory at once, so it is one object, without functions. */
export interface RunningSum {
  requests: number;
  readonly usage: { -readonly [K in keyof Figures]: number };
  knownCost: Picodollars;
  unpriced: number;
  costSource: RequestSum['costSource'];
  tokensSource: RequestSum['tokensSource'];
  isRecorded: boolean;
  replayed: number;
  unexplained: Unexplained | undefined;
}

export function createSum(): RunningSum {
  return {
    requests: 0,
    usage: { ...NO_USAGE },
    knownCost: 0n,
    unpriced: 0,
    costSource: undefined,
    tokensSource: undefined,
    isRecorded: false,
    replayed: 0,
    unexplained: undefined,
  };
}

export function addRequest(sum: RunningSum, request: RequestFacts): void {
  sum.requests += request.requests;
  addTo(sum.usage, request.usage);
  if (request.cost === undefined) sum.unpriced += Math.max(1, request.requests);
  else {
    sum.knownCost += request.cost;
    sum.costSource = lessCertain(sum.costSource, request.costSource);
  }
  sum.tokensSource = lessCertain(sum.tokensSource, request.tokensSource);
  if (request.tokensSource === 'recorded') sum.isRecorded = true;
  else sum.replayed += request.requests;
  if (request.isRemainder) sum.unexplained = withRemainder(sum.unexplained, request);
}

/** Nothing is added later. */
export function sumOf(sum: RunningSum): RequestSum {
  const { requests, usage, knownCost, unpriced, costSource, tokensSource, isRecorded, replayed, unexplained } = sum;
  return {
    requests,
    usage,
    total: promptTokens(usage) + usage.output,
    cost: unpriced > 0 ? undefined : knownCost,
    knownCost,
    unpriced,
    costSource: costSource ?? (unpriced > 0 ? 'unpriced' : undefined),
    tokensSource,
    isRecorded,
    replayed,
    unexplained,
  };
}

function withRemainder(sum: Unexplained | undefined, { usage, cost }: Unexplained): Unexplained | undefined {
  if (promptTokens(usage) + usage.output === 0 && (cost ?? 0n) === 0n) return sum;
  if (sum === undefined) return { usage, cost };
  const both = sum.cost === undefined || cost === undefined ? undefined : sum.cost + cost;
  return { usage: addUsage(sum.usage, usage), cost: both };
}

/** The source of the tokens of a sum: if only a part of it is recorded, it is an estimate. */
export function sourceOf({ isRecorded, replayed, tokensSource }: RequestSum): RequestSum['tokensSource'] {
  return isRecorded && replayed > 0 ? 'estimated' : tokensSource;
}

/** Sums a list of requests. */
export function sumRequests(requests: readonly RequestFacts[]): RequestSum {
  const sum = createSum();
  for (const request of requests) addRequest(sum, request);
  return sumOf(sum);
}

/** Adds up sums of requests. */
export function addSums(sums: readonly RequestSum[]): RequestSum {
  const add = <T>(start: T, more: (sum: T, part: RequestSum) => T) => sums.reduce(more, start);
  const usage = add(NO_USAGE, (sum, part) => addUsage(sum, part.usage));
  const knownCost = add(0n, (sum, part) => sum + part.knownCost);
  const unpriced = add(0, (sum, part) => sum + part.unpriced);
  const priced = sums.map(({ costSource }) => (costSource === 'unpriced' ? undefined : costSource));
  return {
    requests: add(0, (sum, { requests }) => sum + requests),
    usage,
    total: promptTokens(usage) + usage.output,
    cost: unpriced > 0 ? undefined : knownCost,
    knownCost,
    unpriced,
    costSource: priced.reduce(leastCertain, undefined) ?? (unpriced > 0 ? 'unpriced' : undefined),
    tokensSource: sums.map(({ tokensSource }) => tokensSource).reduce(leastCertain, undefined),
    isRecorded: sums.some(({ isRecorded }) => isRecorded),
    replayed: add(0, (sum, part) => sum + part.replayed),
    unexplained: add<Unexplained | undefined>(undefined, (sum, { unexplained }) =>
      unexplained === undefined ? sum : withRemainder(sum, unexplained),
    ),
  };
}

function leastCertain<S extends Source>(a: S | undefined, b: S | undefined): S | undefined {
  return b === undefined ? a : lessCertain(a, b);
}
