/** What transcripts would have sent and cost under policies: one policy, a sweep of many, or retries. */

import { picodollarsOf } from '../../decimals.js';
import { TranscriptError } from '../../errors.js';
import type { PriceBook } from '../../measure/pricing/cost.js';
import type { ContextTokens } from '../../measure/simulation/context-tokens.js';
import {
  type Basis,
  isUnchanged,
  type RetryFacts,
  type SimulationFacts,
  type Steadier,
  type SweepFacts,
  sumPredictions,
  type TranscriptOrigin,
} from '../../measure/simulation/facts.js';
import { type Policy, seesAll } from '../../measure/simulation/policy.js';
import { type Demand, retriesOf } from '../../measure/simulation/retries.js';
import { sumShortfalls } from '../../measure/simulation/shortfalls.js';
import {
  type PreparedReplay,
  prepareReplay,
  type Simulation,
  type Totals,
  totalsOf,
} from '../../measure/simulation/simulate.js';
import { steadied } from '../../measure/simulation/steadied.js';
import {
  type Candidate,
  cheapestOf,
  hindsightOf,
  mostKeptWithin,
  NO_POLICY,
  outcomesOf,
  recommendedOf,
} from '../../measure/simulation/sweep.js';
import { verdictOf } from '../../measure/simulation/verdict.js';
import type { Counting } from '../../measure/stats/counting.js';
import { createLedger } from '../../measure/stats/ledger.js';
import { priced, type RequestFacts } from '../../measure/stats/request.js';
import { type RequestSum, sumRequests } from '../../measure/stats/request-sum.js';
import { recordedRequests } from '../../measure/stats/requests.js';
import { defaultsOf } from '../../options/option.js';
import type { Transcript } from '../../transcript/types.js';
import { transformNamed } from '../../transforms/index.js';
import type { Step } from '../../transforms/pipeline.js';
import { type Context, modelOf } from '../context.js';

/** A transcript to simulate, with the counter of its model. */
export interface Recorded {
  readonly transcript: Transcript;
  readonly counting: Counting;
  readonly place: TranscriptOrigin;
}

export interface ReplaySettings {
  /** What of the context the steps see. */
  readonly scope: Policy['scope'];
  /** The agent goes on from what the steps left. */
  readonly carries: boolean;
  /** `auto`, `off`, or the id of a cache. */
  readonly cache: string;
  /** Seconds between two requests, whatever the recording says. */
  readonly idle: number | undefined;
}

type Pricing = Pick<Context, 'model' | 'asModel' | 'prices' | 'at'>;

interface Replays {
  readonly all: readonly PreparedReplay[];
  /** By transcript: what the recording says was used and paid; undefined if it does not. */
  readonly recorded: readonly (RequestSum | undefined)[];
  /** The same of all transcripts. */
  readonly paid: RequestSum | undefined;
}

export function recordedOf(transcript: Transcript, at: { file: string; line: number }, context: Context): Recorded {
  const counting = context.countingFor(modelOf(context, transcript.model));
  const { id, format } = transcript;
  const { model } = counting;
  const sent = model === transcript.model ? transcript : { ...transcript, model };
  return { transcript: sent, counting, place: { ...at, id, format, model } };
}

/** A policy, and its steps as text. */
export interface WrittenPolicy {
  readonly steps: readonly Step[];
  readonly written: string;
}

/** Replays all transcripts with one policy. */
export function simulateAll(
  recorded: readonly Recorded[],
  policy: WrittenPolicy,
  settings: ReplaySettings,
  pricing: Pricing,
): SimulationFacts {
  return createSimulations(recorded, settings, pricing).play(policy);
}

/** Transcripts that are ready to be replayed with any number of policies. */
export interface Simulations {
  play(policy: WrittenPolicy): SimulationFacts;
  /** By transcript: what the context of each request consists of. */
  contexts(): (readonly ContextTokens[])[];
}

export function createSimulations(
  recorded: readonly Recorded[],
  settings: ReplaySettings,
  pricing: Pricing,
): Simulations {
  const replays = replaysOf(recorded, settings, pricing);
  return {
    play: (policy) => factsOf(recorded, replays, policy, settings),
    contexts: () => replays.all.map((replay) => replay.contexts()),
  };
}

function factsOf(
  recorded: readonly Recorded[],
  replays: Replays,
  policy: WrittenPolicy,
  settings: ReplaySettings,
): SimulationFacts {
  const transcripts = playedOf(recorded, replays.all, { ...settings, steps: policy.steps }).map((played, index) => ({
    ...played,
    recorded: replays.recorded[index],
  }));
  const totals = totalsOf(transcripts.flatMap(({ simulation }) => simulation.requests));
  const basis = basisOf(transcripts);
  const verdict = verdictOf(totals, basis.prediction);
  const costsMore =
    totals.with.cost !== undefined && totals.without.cost !== undefined && totals.with.cost > totals.without.cost;
  return {
    ...basis,
    transcripts,
    policy: policy.written,
    sparesTurn: isUnchanged(totals) && changesTurns(replays.all, { ...settings, steps: policy.steps }),
    totals,
    verdict,
    shortfalls: sumShortfalls(
      transcripts.map(({ simulation }) => simulation.shortfalls),
      totals.requests,
    ),
    steadier: costsMore ? steadierOf(replays.all, policy.steps, settings, totals) : undefined,
    recorded: replays.paid,
  };
}

/** Whether a policy that changes no request would change one if its steps saw the current turn. */
function changesTurns(replays: readonly PreparedReplay[], { steps, scope, carries }: Policy): boolean {
  if (steps.length === 0 || seesAll({ steps, scope })) return false;
  return replays.some((one) => !isUnchanged(one.play({ steps, scope: 'all', carries }).totals));
}

/** The policy with `every` and `low-water`, if it costs less so. */
function steadierOf(
  replays: readonly PreparedReplay[],
  steps: readonly Step[],
  { scope, carries }: ReplaySettings,
  { with: sent }: Totals,
): Steadier | undefined {
  const steady = steadied(steps);
  if (steady === undefined) return undefined;
  const totals = totalsOf(replays.flatMap((one) => one.play({ steps: steady.steps, scope, carries }).requests));
  return totals.with.cost! < sent.cost! ? { label: steady.label, totals } : undefined;
}

/** Replays all transcripts with each candidate. `budget`: US dollars, in 1e-12. */
export function sweepAll(
  recorded: readonly Recorded[],
  { candidates, budget }: { readonly candidates: readonly Candidate[]; readonly budget: bigint | undefined },
  settings: ReplaySettings,
  pricing: Pricing,
): SweepFacts {
  const replays = replaysOf(recorded, settings, pricing);
  const transcripts = playedOf(recorded, replays.all, { ...settings, steps: NO_POLICY.steps });
  const basis = basisOf(transcripts);
  const outcomes = outcomesOf(replays.all, candidates, settings, basis.prediction);
  return {
    ...basis,
    transcripts,
    outcomes,
    sparesTurn:
      outcomes.every(({ totals }) => isUnchanged(totals)) &&
      candidates.some(({ steps }) => changesTurns(replays.all, { ...settings, steps })),
    hindsight: hindsightOf(replays.all, candidates, settings, basis.prediction),
    cheapest: cheapestOf(outcomes),
    recommended: recommendedOf(outcomes),
    budget,
    within: budget === undefined ? undefined : mostKeptWithin(outcomes, budget),
  };
}

/** The ledger counts each recorded request once, in the first transcript that holds it. */
function replaysOf(recorded: readonly Recorded[], { cache, idle }: ReplaySettings, pricing: Pricing): Replays {
  const options = { ...pricing, cache, idle };
  const own = new Map<Recorded, readonly RequestFacts[]>();
  const ledger = createLedger<Recorded>({
    price: (request) => priced(request, options),
    settled: (owner, requests) => void own.set(owner, requests),
  });
  for (const one of recorded) ledger.add(one, recordedRequests(one.transcript, options));
  const { paid } = ledger.close();
  const sums = recorded.map((one) => sumRequests(own.get(one) ?? []));
  return {
    all: recorded.map((one) => prepareReplay(one.transcript, one.counting, options, own.get(one))),
    recorded: sums.map((sum) => (sum.isRecorded ? sum : undefined)),
    paid: paid.isRecorded ? paid : undefined,
  };
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
export function unpricedModels(recorded: readonly Recorded[], pricing: Pricing): (string | undefined)[] {
  const { prices, at } = pricing;
  const models = new Set(recorded.map(({ transcript }) => modelOf(pricing, transcript.model)));
  return [...models].filter((name) => name === undefined || prices?.cost(name, NO_TOKENS, at).usd === undefined);
}

/** The budget of a sweep in US dollars: `0.50`, `$0.50`. */
export function sweepBudget(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const budget = picodollarsOf(text.replace(/^\$/, ''));
  if (budget === undefined || budget < 0n)
    throw new TranscriptError('usage', `--budget \`${text}\` is not in US dollars; expected something like 0.50`);
  return budget;
}
