/** Compares policies over the same recordings. */
import { greatest } from '../../lists.js';
import type { Step } from '../../transforms/pipeline.js';
import type { Policy } from './policy.js';
import { type Shortfall, sumShortfalls } from './shortfalls.js';
import { type Prediction, type PreparedReplay, type Simulation, type Totals, totalsOf } from './simulate.js';
import { type Verdict, verdictOf } from './verdict.js';

/** An option of a step with the values to try. */
export interface Axis {
  /** The option's name as a flag. */
  readonly name: string;
  /** The indexes of the steps, and the key of the option in them. */
  readonly steps: readonly number[];
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
  readonly verdict: Verdict;
  /** What its steps could not do. */
  readonly shortfalls: readonly Shortfall[];
  /**
   * No other outcome is at least as good in cost, tokens and results kept, and better in one of them, and no earlier
   * one is equal in all.
   */
  readonly isFrontier: boolean;
}

export const NO_POLICY: Candidate = { label: 'no policy', steps: [] };

/** Every combination of the values; the last axis changes fastest. */
export function candidatesOf(steps: readonly Step[], axes: readonly Axis[]): Candidate[] {
  return axes.reduce<readonly Candidate[]>(
    (all, axis) => all.flatMap((candidate) => axis.values.map((value) => withValue(candidate, axis, value))),
    [{ label: '', steps }],
  ) as Candidate[];
}

function withValue({ label, steps }: Candidate, { name, steps: indexes, key }: Axis, value: unknown): Candidate {
  const changed = steps.map((old, index) =>
    indexes.includes(index) ? { ...old, values: { ...old.values, [key]: value } as Step['values'] } : old,
  );
  return { label: `${label}${label === '' ? '' : ' '}${name}=${value}`, steps: changed };
}

/** The totals of each candidate over all recordings; the first is no policy. */
export function outcomesOf(
  replays: readonly PreparedReplay[],
  candidates: readonly Candidate[],
  how: Omit<Policy, 'steps'>,
  prediction: Prediction | undefined,
): Outcome[] {
  const outcomes = [NO_POLICY, ...candidates].map(({ label, steps }) => {
    return {
      label,
      ...resultOf(
        replays.map((replay) => replay.play({ ...how, steps })),
        prediction,
      ),
    };
  });
  return outcomes.map((outcome, index) => ({
    ...outcome,
    isFrontier: !outcomes.some(
      ({ totals }, other) =>
        isBetter(totals, outcome.totals) ||
        (other < index && comparison(totals, outcome.totals).every((sign) => sign === 0)),
    ),
  }));
}

/**
 * The best times to drop all that may go, by dynamic programming over the whole recordings: no policy, because nobody
 * knows what comes, but a measure of the others. A cut of less (`every=auto`) can still be cheaper.
 */
export function hindsightOf(
  replays: readonly PreparedReplay[],
  candidates: readonly Candidate[],
  how: Omit<Policy, 'steps'>,
  prediction: Prediction | undefined,
): Outcome[] {
  const timed = candidates.filter(({ label }) => EVERY.test(label));
  const groups = new Map(timed.map(({ label, steps }) => [label.replace(EVERY, '$1best timing'), steps]));
  return [...groups].flatMap(([label, steps]) => {
    const best = replays.map((replay) => replay.playBest({ ...how, steps }));
    if (best.includes(undefined)) return [];
    return { label, ...resultOf(best as Simulation[], prediction), isFrontier: false };
  });
}

function resultOf(simulations: readonly Simulation[], prediction: Prediction | undefined) {
  const totals = totalsOf(simulations.flatMap(({ requests }) => requests));
  const all = simulations.map(({ shortfalls }) => shortfalls);
  return { totals, verdict: verdictOf(totals, prediction), shortfalls: sumShortfalls(all, totals.requests) };
}

/** In the label of a candidate. */
const EVERY = /(^| )every=\S+(?: calls| rounds)?/;

/**
 * The outcome to recommend: of those that save for sure, at least half as much as the best of them, the one that keeps
 * the most results; of equal ones the cheapest. Dropping all results of the history is never recommended.
 */
export function recommendedOf(outcomes: readonly Outcome[]): Outcome | undefined {
  const saving = outcomes.filter(({ verdict, totals }) => verdict.kind === 'saves' && !dropsAll(totals));
  const best = saving.reduce((most, { verdict }) => (verdict.least! > most ? verdict.least! : most), 0n);
  const worthwhile = saving.filter(({ verdict }) => verdict.least! * 2n >= best);
  const most = greatest(worthwhile.map(({ totals }) => totals.resultsKept));
  const keeping = worthwhile.filter(({ totals }) => totals.resultsKept === most);
  return keeping.length === 0 ? undefined : cheapestOf(keeping);
}

function dropsAll({ resultsBefore, resultsKept, historyResultsBefore, historyResultsKept }: Totals): boolean {
  return (resultsBefore > 0 && resultsKept === 0) || (historyResultsBefore > 0 && historyResultsKept === 0);
}

/**
 * The outcome with the lowest cost; of equal ones that with the most results. If a price is unknown, tokens are
 * compared.
 */
export function cheapestOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, next) => (compare(next.totals, best.totals) < 0 ? next : best));
}

/** The outcome within the budget that keeps the most results; of equal ones the cheapest. */
export function mostKeptWithin(outcomes: readonly Outcome[], budget: bigint): Outcome | undefined {
  const affordable = outcomes.filter(({ totals }) => totals.with.cost !== undefined && totals.with.cost <= budget);
  const most = greatest(affordable.map(({ totals }) => totals.resultsKept));
  const fitting = affordable.filter(({ totals }) => totals.resultsKept === most);
  return fitting.length === 0 ? undefined : cheapestOf(fitting);
}

/** All input tokens, cached or not. */
export function tokensSent({ with: { usage } }: Pick<Totals, 'with'>): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

function compare(a: Totals, b: Totals): number {
  return difference(priceOf(a), priceOf(b)) || b.resultsKept - a.resultsKept || tokensSent(a) - tokensSent(b);
}

function isBetter(a: Totals, b: Totals): boolean {
  const signs = comparison(a, b);
  return signs.every((sign) => sign <= 0) && signs.some((sign) => sign < 0);
}

/** Negative where `a` is better: in cost, tokens and results kept. */
function comparison(a: Totals, b: Totals): readonly number[] {
  return [difference(priceOf(a), priceOf(b)), tokensSent(a) - tokensSent(b), b.resultsKept - a.resultsKept];
}

function priceOf(totals: Totals): bigint {
  return totals.with.cost ?? BigInt(tokensSent(totals));
}

function difference(a: bigint, b: bigint): number {
  return Number(a > b) - Number(a < b);
}
