/** `simulate --format json`. Costs are exact; unknown values are null. */

import type { z } from 'zod';
import type { CacheModel } from '../measure/simulation/caches.js';
import type { RetryFacts, SimulationFacts, Steadier, SweepFacts } from '../measure/simulation/facts.js';
import { perYear, type Retries } from '../measure/simulation/retries.js';
import type { Shortfall } from '../measure/simulation/shortfalls.js';
import type { Prediction, Side, SimulatedRequest, Totals } from '../measure/simulation/simulate.js';
import { type Outcome, tokensSent } from '../measure/simulation/sweep.js';
import { errorOf, type Verdict } from '../measure/simulation/verdict.js';
import type { RequestSum } from '../measure/stats/request-sum.js';
import { promptTokens } from '../transcript/usage.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { retriesSchema, simulateSchema, sweepSchema } from './schemas/simulate.js';

/** `advice`: what the figures mean, in a few sentences. */
export function simulateDocument(facts: SimulationFacts, advice: string): Exact<z.output<typeof simulateSchema>> {
  return {
    version: 1,
    policy: facts.policy,
    transcripts: facts.transcripts.map(({ file, line, id, format, model, simulation, recorded }) => ({
      file,
      line,
      id: id ?? null,
      format,
      model: model ?? null,
      tokens_source: simulation.tokensSource,
      requests: simulation.requests.map(requestJson),
      totals: totalsJson(simulation.totals),
      shortfalls: simulation.shortfalls.map(shortfallJson),
      recorded: recordedJson(recorded),
      prediction: predictionJson(simulation.prediction),
    })),
    ...omissionsJson(facts.omissions),
    caches: facts.caches.map(cacheJson),
    totals: { ...totalsJson(facts.totals), ...verdictJson(facts.verdict), recorded: recordedJson(facts.recorded) },
    shortfalls: facts.shortfalls.map(shortfallJson),
    steadier: steadierJson(facts.steadier),
    prediction: predictionJson(facts.prediction),
    advice,
  };
}

export function sweepDocument(facts: SweepFacts, advice: string): Exact<z.output<typeof sweepSchema>> {
  const { outcomes, cheapest, recommended, within, budget } = facts;
  return {
    version: 1,
    transcripts: facts.transcripts.map(({ file, line, id }) => ({ file, line, id: id ?? null })),
    sweep: outcomes.map(outcomeJson),
    hindsight: facts.hindsight.map(outcomeJson),
    cheapest: cheapest.label,
    recommended: recommended?.label ?? null,
    frontier: outcomes.filter(({ isFrontier }) => isFrontier).map(({ label }) => label),
    ...(budget === undefined ? {} : { budget_usd: budget, within_budget: within?.label ?? null }),
    ...omissionsJson(facts.omissions),
    caches: facts.caches.map(cacheJson),
    prediction: predictionJson(facts.prediction),
    advice,
  };
}

export function retriesDocument(facts: RetryFacts): Exact<z.output<typeof retriesSchema>> {
  const { transcripts, demand, omissions } = facts;
  return {
    version: 1,
    transcripts: transcripts.map(({ file, line, id, model, retries }) => ({
      file,
      line,
      id: id ?? null,
      model: model ?? null,
      ...retryJson(retries),
    })),
    ...omissionsJson(omissions),
    ...(demand === undefined ? {} : { demand, ...yearJson(transcripts, demand) }),
  };
}

function requestJson({
  index,
  message,
  run,
  model,
  time,
  callsInHistory,
  callsBefore,
  callsAfter,
  resultsBefore,
  resultsKept,
  firstChanged,
  paidAgain,
  without,
  with: sent,
  recorded,
}: SimulatedRequest) {
  return {
    index,
    message,
    run,
    model: model ?? null,
    time: time === undefined ? null : new Date(time).toISOString(),
    calls_in_history: callsInHistory,
    calls_before: callsBefore,
    calls_after: callsAfter,
    results_before: resultsBefore,
    results_kept: resultsKept,
    first_changed: firstChanged ?? null,
    paid_again: paidAgain,
    without: sideJson(without),
    with: sideJson(sent),
    recorded:
      recorded === undefined
        ? null
        : {
            input: recorded.input,
            cache_read: recorded.cacheRead,
            cache_write: recorded.cacheWrite5m + recorded.cacheWrite1h,
            output: recorded.output,
          },
  };
}

/** `input` is uncached; `sent` is the sum of `input`, `cache_read` and `cache_write`. */
function sideJson({ usage, cost }: Side) {
  return {
    input: usage.input,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite5m + usage.cacheWrite1h,
    sent: promptTokens(usage),
    output: usage.output,
    cost_usd: cost ?? null,
  };
}

function totalsJson({ requests, without, with: sent, resultsBefore, resultsKept, paidAgain, rewrites }: Totals) {
  return {
    requests,
    results_before: resultsBefore,
    results_kept: resultsKept,
    rewrites,
    paid_again: paidAgain,
    without: sideJson(without),
    with: sideJson(sent),
  };
}

/** The usage and cost of all recorded requests, including those without a reply to replay. */
function recordedJson(sum: RequestSum | undefined) {
  if (sum === undefined) return null;
  const { requests, usage, cost } = sum;
  return {
    requests,
    input: usage.input,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite5m + usage.cacheWrite1h,
    output: usage.output,
    cost_usd: cost ?? null,
  };
}

function predictionJson(prediction: Prediction | undefined) {
  if (prediction === undefined) return null;
  const { requests, predicted, recorded, prompt, off, predictedCost, recordedCost } = prediction;
  const { cost, tokens, largest } = errorOf(prediction)!;
  return {
    requests,
    tokens_error: tokens,
    cost_error: cost ?? null,
    error: largest,
    cost_usd: predictedCost ?? null,
    cost_usd_recorded: recordedCost ?? null,
    cache_read_predicted: predicted,
    cache_read_recorded: recorded,
    prompt_recorded: prompt,
    off,
  };
}

function cacheJson({ id, title, lifetime, step, lookBack, caveat, source, minimumsSource, date }: CacheModel) {
  return {
    id,
    title,
    lifetime,
    step,
    look_back: lookBack ?? null,
    caveat: caveat ?? null,
    source,
    minimums_source: minimumsSource ?? source,
    date,
  };
}

/** What the policy saves, with its range within the error of the replay. */
function verdictJson({ kind, saved, least, most }: Verdict) {
  return { verdict: kind, saved_usd: saved ?? null, saved_least_usd: least ?? null, saved_most_usd: most ?? null };
}

function steadierJson(steadier: Steadier | undefined) {
  return steadier === undefined ? null : { options: steadier.label, cost_usd: steadier.totals.with.cost ?? null };
}

function shortfallJson({ step, budget, requests, of, tokens }: Shortfall) {
  return { step, budget, requests, of, tokens };
}

function outcomeJson({ label, totals, verdict, shortfalls, isFrontier }: Outcome) {
  return {
    policy: label,
    sent: tokensSent(totals),
    results_before: totals.resultsBefore,
    results_kept: totals.resultsKept,
    rewrites: totals.rewrites,
    paid_again: totals.paidAgain,
    cost_usd: totals.with.cost ?? null,
    ...verdictJson(verdict),
    shortfalls: shortfalls.map(shortfallJson),
    frontier: isFrontier,
  };
}

function retryJson({ tokens, stripped, tokensSource, attempts, shortfalls }: Retries) {
  return {
    tokens,
    stripped,
    tokens_source: tokensSource,
    attempts: attempts.map(({ retries, tokens: sum, cost, strippedTokens, strippedCost }) => ({
      retries,
      tokens: sum,
      cost_usd: cost ?? null,
      stripped_tokens: strippedTokens,
      stripped_cost_usd: strippedCost ?? null,
    })),
    shortfalls: [...shortfalls],
  };
}

function yearJson(transcripts: RetryFacts['transcripts'], demand: NonNullable<RetryFacts['demand']>) {
  const last = transcripts.map(({ retries }) => retries.attempts.at(-1)!);
  return {
    yearly: last.map(({ cost, strippedCost }) => ({
      cost_usd: perYear(cost, demand) ?? null,
      stripped_cost_usd: perYear(strippedCost, demand) ?? null,
    })),
  };
}
