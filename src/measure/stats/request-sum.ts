/** Sums of requests: what they used and cost, and how sure that is. */
import type { Picodollars } from '../../decimals.js';
import type { Usage } from '../../transcript/types.js';
import { addTo, addUsage, NO_USAGE, promptTokens } from '../../transcript/usage.js';
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

export interface Summing {
  add(request: RequestFacts): void;
  sum(): RequestSum;
}

/** A running sum of requests. */
export function createSum(): Summing {
  let requests = 0;
  const usage = { ...NO_USAGE };
  let knownCost = 0n;
  let unpriced = 0;
  let costSource: RequestSum['costSource'];
  let tokensSource: RequestSum['tokensSource'];
  let isRecorded = false;
  let unexplained: Unexplained | undefined;
  return {
    add(request) {
      requests += request.requests;
      addTo(usage, request.usage);
      if (request.cost === undefined) unpriced += Math.max(1, request.requests);
      else {
        knownCost += request.cost;
        costSource = lessCertain(costSource, request.costSource);
      }
      tokensSource = lessCertain(tokensSource, request.tokensSource);
      isRecorded ||= request.tokensSource === 'recorded';
      if (request.isRemainder) unexplained = withRemainder(unexplained, request);
    },
    sum: () => ({
      requests,
      usage: { ...usage },
      total: promptTokens(usage) + usage.output,
      cost: unpriced > 0 ? undefined : knownCost,
      knownCost,
      unpriced,
      costSource: costSource ?? (unpriced > 0 ? 'unpriced' : undefined),
      tokensSource,
      isRecorded,
      unexplained,
    }),
  };
}

function withRemainder(sum: Unexplained | undefined, { usage, cost }: Unexplained): Unexplained | undefined {
  if (promptTokens(usage) + usage.output === 0 && (cost ?? 0n) === 0n) return sum;
  if (sum === undefined) return { usage, cost };
  const both = sum.cost === undefined || cost === undefined ? undefined : sum.cost + cost;
  return { usage: addUsage(sum.usage, usage), cost: both };
}

/** Sums a list of requests. */
export function sumRequests(requests: readonly RequestFacts[]): RequestSum {
  const sum = createSum();
  for (const request of requests) sum.add(request);
  return sum.sum();
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
    unexplained: add<Unexplained | undefined>(undefined, (sum, { unexplained }) =>
      unexplained === undefined ? sum : withRemainder(sum, unexplained),
    ),
  };
}

function leastCertain<S extends Source>(a: S | undefined, b: S | undefined): S | undefined {
  return b === undefined ? a : lessCertain(a, b);
}
