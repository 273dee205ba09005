/** What transcripts would have sent and cost under policies: one policy, a sweep of many, or retries. */

import { picodollarsOf } from '../../decimals.js';
import { TranscriptError } from '../../errors.js';
import { defaultsOf } from '../../options/option.js';
import type { PriceBook } from '../../pricing/cost.js';
import {
  type Basis,
  type RetryFacts,
  type SimulationFacts,
  type SweepFacts,
  sumPredictions,
  type TranscriptOrigin,
} from '../../simulation/facts.js';
import type { Policy } from '../../simulation/policy.js';
import { type Demand, retriesOf } from '../../simulation/retries.js';
import { type PreparedReplay, prepareReplay, type Simulation, totalsOf } from '../../simulation/simulate.js';
import { type Candidate, cheapestOf, mostKeptWithin, NO_POLICY, outcomesOf } from '../../simulation/sweep.js';
import type { Counting } from '../../stats/counting.js';
import type { Transcript } from '../../transcript/types.js';
import { transformNamed } from '../../transforms/index.js';
import type { Step } from '../../transforms/pipeline.js';
import type { Context } from '../context.js';

/** A transcript to simulate, with the counter of its model. */
export interface Recorded {
  readonly transcript: Transcript;
  readonly counting: Counting;
  readonly place: TranscriptOrigin;
}

export interface ReplaySettings {
  /** `history`: the steps leave the current run alone. `all`: they see the whole context. */
  readonly scope: Policy['scope'];
  /** The agent goes on from what the steps left. */
  readonly carries: boolean;
  /** `auto`, `off`, or the id of a cache. */
  readonly cache: string;
  /** Seconds between two requests, whatever the recording says. */
  readonly idle: number | undefined;
}

type Pricing = Pick<Context, 'model' | 'prices' | 'at'>;

export function recordedOf(transcript: Transcript, at: { file: string; line: number }, context: Context): Recorded {
  const counting = context.countingFor(context.model ?? transcript.model);
  const { id, format } = transcript;
  return { transcript, counting, place: { ...at, id, format, model: counting.model } };
}

/** Replays all transcripts with one policy. `written`: its steps as text. */
export function simulateAll(
  recorded: readonly Recorded[],
  policy: { readonly steps: readonly Step[]; readonly written: string },
  settings: ReplaySettings,
  pricing: Pricing,
): SimulationFacts {
  const replays = replaysOf(recorded, settings, pricing);
  const transcripts = playedOf(recorded, replays, { ...settings, steps: policy.steps });
  const totals = totalsOf(transcripts.flatMap(({ simulation }) => simulation.requests));
  return { ...basisOf(transcripts), transcripts, policy: policy.written, totals };
}

/** Replays all transcripts with each candidate. `budget`: US dollars, in 1e-12. */
export function sweepAll(
  recorded: readonly Recorded[],
  { candidates, budget }: { readonly candidates: readonly Candidate[]; readonly budget: bigint | undefined },
  settings: ReplaySettings,
  pricing: Pricing,
): SweepFacts {
  const replays = replaysOf(recorded, settings, pricing);
  const transcripts = playedOf(recorded, replays, { ...settings, steps: NO_POLICY.steps });
  const outcomes = outcomesOf(replays, candidates, settings);
  return {
    ...basisOf(transcripts),
    transcripts,
    outcomes,
    cheapest: cheapestOf(outcomes),
    budget,
    within: budget === undefined ? undefined : mostKeptWithin(outcomes, budget),
  };
}

function replaysOf(
  recorded: readonly Recorded[],
  { cache, idle }: ReplaySettings,
  { model, prices, at }: Pricing,
): readonly PreparedReplay[] {
  return recorded.map(({ transcript, counting }) =>
    prepareReplay(transcript, counting, { cache, idle, model, prices, at }),
  );
}

type Played = TranscriptOrigin & { readonly simulation: Simulation };

function playedOf(recorded: readonly Recorded[], replays: readonly PreparedReplay[], policy: Policy): Played[] {
  const { steps, scope, carries } = policy;
  return recorded.map(({ place }, index) => ({
    ...place,
    simulation: replays[index]!.play({ steps, scope, carries }),
  }));
}

function basisOf(transcripts: readonly Played[]): Basis {
  const simulations = transcripts.map(({ simulation }) => simulation);
  const sources = new Set(simulations.map(({ tokensSource }) => tokensSource));
  return {
    caches: [...new Set(simulations.flatMap(({ caches }) => caches))],
    prediction: sumPredictions(simulations.map(({ prediction }) => prediction)),
    tokensSource: (['estimated', 'recorded'] as const).find((source) => sources.has(source)) ?? 'exact',
  };
}

/** Each retry is a row of the report: nobody reads more rows than this. */
const MOST_RETRIES = 1000;

/** What sending the context again costs, with and without `strip` (or with the given steps). */
export function retryAll(
  recorded: readonly Recorded[],
  {
    times,
    steps,
    demand,
  }: { readonly times: number; readonly steps: readonly Step[]; readonly demand?: Demand | undefined },
  prices: PriceBook | undefined,
  at: Date | undefined,
): RetryFacts {
  if (times > MOST_RETRIES)
    throw new TranscriptError('usage', `--retries ${times}: expected a whole number from 0 to ${MOST_RETRIES}`);
  const strip = transformNamed('strip');
  const stripping = steps.length > 0 ? steps : [{ transform: strip, values: defaultsOf(strip.options) }];
  return {
    demand,
    transcripts: recorded.map(({ transcript, counting, place }) => ({
      ...place,
      retries: retriesOf(transcript, counting, stripping, times, prices, at),
    })),
  };
}

const NO_TOKENS = { input: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/** The models that have no price; undefined stands for transcripts without a recorded model. */
export function unpricedModels(recorded: readonly Recorded[], { model, prices, at }: Pricing): (string | undefined)[] {
  const models = new Set(recorded.map(({ transcript }) => model ?? transcript.model));
  return [...models].filter((name) => name === undefined || prices?.cost(name, NO_TOKENS, at).usd === undefined);
}

/** The budget of a sweep in US dollars: `0.50`, `$0.50`. */
export function sweepBudget(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const budget = picodollarsOf(text.replace(/^\$/, ''));
  if (budget === undefined || budget < 0n)
    throw new TranscriptError('usage', `--budget \`${text}\` is no amount of US dollars; expected something like 0.50`);
  return budget;
}
