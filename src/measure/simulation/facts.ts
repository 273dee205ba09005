/** The facts in the reports of `simulate`. */
import type { Picodollars } from '../../decimals.js';
import type { Omissions } from '../../omissions.js';
import { promptTokens } from '../../transcript/usage.js';
import type { RequestSum } from '../stats/request-sum.js';
import type { CacheModel } from './caches.js';
import type { Demand, Retries } from './retries.js';
import type { Shortfall } from './shortfalls.js';
import type { Prediction, Simulation, Totals } from './simulate.js';
import type { Outcome } from './sweep.js';
import type { Verdict } from './verdict.js';

/** A transcript and where it was found. */
export interface TranscriptOrigin {
  readonly file: string;
  readonly line: number;
  readonly id: string | undefined;
  readonly format: string;
  readonly model: string | undefined;
}

interface Gaps {
  /** What the figures are without. */
  readonly omissions?: Omissions;
}

/** What the figures of a simulation are based on. */
export interface Basis extends Gaps {
  readonly caches: readonly CacheModel[];
  readonly prediction: Prediction | undefined;
  readonly tokensSource: Simulation['tokensSource'];
}

export interface SimulatedTranscript extends TranscriptOrigin {
  readonly simulation: Simulation;
  /** What the recording says was used and paid; undefined if it does not. */
  readonly recorded: RequestSum | undefined;
}

/** A policy that changes sent messages less often. */
export interface Steadier {
  /** `every=20` */
  readonly label: string;
  readonly totals: Totals;
}

export interface SimulationFacts extends Basis {
  /** The steps as the user wrote them; empty if there are none. */
  readonly policy: string;
  /** Whether they change no request, but would if they changed the current turn. */
  readonly sparesTurn: boolean;
  readonly transcripts: readonly SimulatedTranscript[];
  readonly totals: Totals;
  readonly verdict: Verdict;
  /** What the steps could not do in all requests. */
  readonly shortfalls: readonly Shortfall[];
  /** The same steps with the options that keep the prompt cache, if the policy costs more and they help. */
  readonly steadier: Steadier | undefined;
  /** What the recordings say was used and paid; undefined if they do not. */
  readonly recorded: RequestSum | undefined;
}

export interface SweepFacts extends Basis {
  /** Whether no policy changes a request, but one would if it changed the current turn. */
  readonly sparesTurn: boolean;
  readonly transcripts: readonly TranscriptOrigin[];
  /** The first is no policy. */
  readonly outcomes: readonly Outcome[];
  /** The same policies at the best times. */
  readonly hindsight: readonly Outcome[];
  readonly cheapest: Outcome;
  /** The outcome to use; undefined if none saves for sure. */
  readonly recommended: Outcome | undefined;
  readonly budget: Picodollars | undefined;
  /** The outcome within the budget that keeps the most results. */
  readonly within: Outcome | undefined;
}

export interface RetryFacts extends Gaps {
  readonly transcripts: readonly (TranscriptOrigin & { readonly retries: Retries })[];
  readonly demand: Demand | undefined;
}

/** Whether no request is changed. */
export function isUnchanged({ without, with: sent }: Pick<Totals, 'without' | 'with'>): boolean {
  return promptTokens(without.usage) === promptTokens(sent.usage);
}

/** Adds the predictions of several recordings; undefined if no recording has one. */
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
    promptsOff: a.promptsOff + b.promptsOff,
    predictedCost: add(a.predictedCost, b.predictedCost),
    recordedCost: add(a.recordedCost, b.recordedCost),
  }));
}
