/** What a simulation finds, over all transcripts: for reports and for programs. */
import type { Picodollars } from '../decimals.js';
import type { CacheModel } from './caches.js';
import type { Demand, Retries } from './retries.js';
import type { Prediction, Simulation, Totals } from './simulate.js';
import type { Outcome } from './sweep.js';

/** Which transcript it is. */
export interface Simulated {
  readonly file: string;
  readonly line: number;
  readonly id: string | undefined;
  readonly format: string;
  readonly model: string | undefined;
}

/** What each kind of simulation has in common. */
export interface SimulationBasis {
  readonly caches: readonly CacheModel[];
  readonly prediction: Prediction | undefined;
  readonly tokensSource: Simulation['tokensSource'];
}

export interface SimulationFacts extends SimulationBasis {
  /** The steps as they were written; empty where there are none. */
  readonly policy: string;
  readonly transcripts: readonly (Simulated & { readonly simulation: Simulation })[];
  readonly totals: Totals;
}

export interface SweepFacts extends SimulationBasis {
  readonly transcripts: readonly Simulated[];
  readonly outcomes: readonly Outcome[];
  readonly cheapest: Outcome;
  readonly budget: Picodollars | undefined;
  /** The one that keeps most within the budget. */
  readonly within: Outcome | undefined;
}

export interface RetryFacts {
  readonly transcripts: readonly (Simulated & { readonly retries: Retries })[];
  readonly demand: Demand | undefined;
}

/** The predictions of several recordings as one. */
export function sumPredictions(predictions: readonly (Prediction | undefined)[]): Prediction | undefined {
  const known = predictions.filter((prediction) => prediction !== undefined);
  const add = (a: Picodollars | undefined, b: Picodollars | undefined) =>
    a === undefined || b === undefined ? undefined : a + b;
  if (known.length === 0) return undefined;
  return known.reduce((a, b) => ({
    requests: a.requests + b.requests,
    predicted: a.predicted + b.predicted,
    recorded: a.recorded + b.recorded,
    prompt: a.prompt + b.prompt,
    off: a.off + b.off,
    predictedCost: add(a.predictedCost, b.predictedCost),
    recordedCost: add(a.recordedCost, b.recordedCost),
  }));
}
