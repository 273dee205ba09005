/** Whether a policy pays, and how sure that is. */
import type { Picodollars } from '../../decimals.js';
import type { Prediction, Totals } from './simulate.js';

/** With a larger error against the recorded requests, no policy is recommended. */
export const LARGEST_ERROR = 0.2;

export interface ErrorShares {
  /** Of the recorded cost; undefined if it is not known. */
  readonly cost: number | undefined;
  /** Of the recorded prompt tokens, request by request. */
  readonly tokens: number;
  /** The larger of both. */
  readonly largest: number;
}

/** `saves` and `costs`: for sure, within the error. `unsure`: the range of error holds the cost without a policy. */
export type VerdictKind = 'saves' | 'costs' | 'same' | 'unsure' | 'inexact' | 'unpriced';

export interface Verdict {
  readonly kind: VerdictKind;
  /** The cost without a policy less the cost with it, and its least and greatest value within the error. */
  readonly saved: Picodollars | undefined;
  readonly least: Picodollars | undefined;
  readonly most: Picodollars | undefined;
  /** Undefined if the recording has no usage to check the replay against. */
  readonly error: number | undefined;
}

/** The error of the replay without a policy against the recorded requests; undefined if there are none. */
export function errorOf(prediction: Prediction | undefined): ErrorShares | undefined {
  if (prediction === undefined) return undefined;
  const { predictedCost, recordedCost, promptsOff, prompt } = prediction;
  const cost =
    predictedCost === undefined || recordedCost === undefined || recordedCost === 0n
      ? undefined
      : Math.abs(Number(predictedCost - recordedCost) / Number(recordedCost));
  const tokens = prompt === 0 ? 0 : promptsOff / prompt;
  return { cost, tokens, largest: Math.max(cost ?? 0, tokens) };
}

/** The range of a simulated cost within an error. */
export function rangeOf(cost: Picodollars, error: number): { readonly low: Picodollars; readonly high: Picodollars } {
  const margin = (cost * BigInt(Math.round(error * 1_000_000))) / 1_000_000n;
  return { low: cost - margin, high: cost + margin };
}

/** Compares the cost with a policy to the cost without one. */
export function verdictOf(
  { without, with: sent }: Pick<Totals, 'without' | 'with'>,
  prediction: Prediction | undefined,
): Verdict {
  const error = errorOf(prediction)?.largest;
  if (without.cost === undefined || sent.cost === undefined)
    return { kind: 'unpriced', saved: undefined, least: undefined, most: undefined, error };
  const { low, high } = rangeOf(sent.cost, error ?? 0);
  const figures = { saved: without.cost - sent.cost, least: without.cost - high, most: without.cost - low, error };
  return { kind: kindOf(figures), ...figures };
}

function kindOf({
  saved,
  least,
  most,
  error,
}: Pick<Verdict, 'error'> & Readonly<Record<'saved' | 'least' | 'most', Picodollars>>): VerdictKind {
  if (saved === 0n) return 'same';
  if ((error ?? 0) > LARGEST_ERROR) return 'inexact';
  if (least > 0n) return 'saves';
  return most < 0n ? 'costs' : 'unsure';
}
