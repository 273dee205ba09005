/** Many policies against each other, over the same recordings. */
import { greatest } from '../lists.js';
import type { Step } from '../transforms/pipeline.js';
import type { Policy } from './policy.js';
import { type PreparedReplay, type Totals, totalsOf } from './simulate.js';

/** An option of a step with the values to try. */
export interface Axis {
  /** The option's name as a flag. */
  readonly name: string;
  /** Which step has it, and under which key. */
  readonly step: number;
  readonly key: string;
  readonly values: readonly unknown[];
}

export interface Candidate {
  readonly label: string;
  readonly steps: readonly Step[];
}

export interface Outcome {
  readonly label: string;
  readonly totals: Totals;
  /** Nothing else is better in one of cost, tokens and results kept without being worse in another. */
  readonly isFrontier: boolean;
}

export const NO_POLICY: Candidate = { label: 'no policy', steps: [] };

/** Every combination of the values, the last axis turning fastest. */
export function candidatesOf(steps: readonly Step[], axes: readonly Axis[]): Candidate[] {
  return axes.reduce<readonly Candidate[]>(
    (all, { name, step, key, values }) =>
      all.flatMap((candidate) => values.map((value) => withValue(candidate, name, step, key, value))),
    [{ label: '', steps }],
  ) as Candidate[];
}

function withValue({ label, steps }: Candidate, name: string, step: number, key: string, value: unknown): Candidate {
  const changed = steps.map((old, index) =>
    index === step ? { ...old, values: { ...old.values, [key]: value } as Step['values'] } : old,
  );
  return { label: `${label}${label === '' ? '' : ' '}${name}=${value}`, steps: changed };
}

/** What each candidate comes to over all recordings, after no policy at all. */
export function outcomesOf(
  stages: readonly PreparedReplay[],
  candidates: readonly Candidate[],
  how: Omit<Policy, 'steps'>,
): Outcome[] {
  const outcomes = [NO_POLICY, ...candidates].map(({ label, steps }) => ({
    label,
    totals: totalsOf(stages.flatMap((stage) => stage.play({ ...how, steps }).requests)),
  }));
  return outcomes.map((outcome) => ({
    ...outcome,
    isFrontier: !outcomes.some((other) => isBetter(other.totals, outcome.totals)),
  }));
}

/** The one that costs least; of several the one that keeps most. Where a price is not known, tokens stand for it. */
export function cheapestOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, next) => (compare(next.totals, best.totals) < 0 ? next : best));
}

/** Of those that cost no more than that, the one that keeps most results, and of several the cheapest. */
export function mostKeptWithin(outcomes: readonly Outcome[], budget: bigint): Outcome | undefined {
  const affordable = outcomes.filter(({ totals }) => totals.with.cost !== undefined && totals.with.cost <= budget);
  const most = greatest(affordable.map(({ totals }) => totals.resultsKept));
  const fitting = affordable.filter(({ totals }) => totals.resultsKept === most);
  return fitting.length === 0 ? undefined : cheapestOf(fitting);
}

/** All tokens that were sent, wherever they were read from. */
export function tokensSent({ with: { usage } }: Pick<Totals, 'with'>): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

function compare(a: Totals, b: Totals): number {
  return difference(priceOf(a), priceOf(b)) || b.resultsKept - a.resultsKept || tokensSent(a) - tokensSent(b);
}

function isBetter(a: Totals, b: Totals): boolean {
  const signs = [difference(priceOf(a), priceOf(b)), tokensSent(a) - tokensSent(b), b.resultsKept - a.resultsKept];
  return signs.every((sign) => sign <= 0) && signs.some((sign) => sign < 0);
}

function priceOf(totals: Totals): bigint {
  return totals.with.cost ?? BigInt(tokensSent(totals));
}

function difference(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
