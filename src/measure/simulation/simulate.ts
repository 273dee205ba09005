/** What a policy would have cost: replays a recording request by request, with and without the policy. */
import type { Picodollars } from '../../decimals.js';
import { originOf } from '../../transcript/compare.js';
import type { Message, Transcript, Usage } from '../../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens } from '../../transcript/usage.js';
import { loadAuto } from '../../transforms/auto.js';
import type { Counting } from '../stats/counting.js';
import { computedCost, mergedRequests, type RequestFacts } from '../stats/request.js';
import { recordedRequests } from '../stats/requests.js';
import { bestTimed } from './best-timing.js';
import type { CacheModel } from './caches.js';
import { type ContextTokens, contextTokens } from './context-tokens.js';
import { type Policy, seesAll } from './policy.js';
import { cachesFor, clockOf, replay, type Sent, type Side, type SimulationOptions } from './replay.js';
import { type RequestSite, type Requests, requestsOf } from './requests.js';
import { type Shortfall, shortfallsOf } from './shortfalls.js';

export type { Side, SimulationOptions } from './replay.js';

export interface SimulatedRequest {
  /** Zero-based, in the order of the recording. */
  readonly index: number;
  /** The index of the first message of the reply. */
  readonly message: number;
  /** The index of the user message that began the current run. */
  readonly run: number;
  readonly model: string | undefined;
  readonly time: number | undefined;
  /** Calls before the current run. */
  readonly callsInHistory: number;
  /** Calls in the whole context, current run included: recorded, and with the policy. */
  readonly callsBefore: number;
  readonly callsAfter: number;
  readonly resultsBefore: number;
  /** Results that the policy does not change. */
  readonly resultsKept: number;
  /** The same of the results before the current run. */
  readonly historyResultsBefore: number;
  readonly historyResultsKept: number;
  /** The first message of the previous context that changed: an index in the recording. */
  readonly firstChanged: number | undefined;
  /** Cached tokens that the change loses: they are sent again uncached. */
  readonly paidAgain: number;
  readonly without: Side;
  readonly with: Side;
  readonly recorded: Usage | undefined;
  /** The place, time and cost of the recorded request, if it is known. */
  readonly record: RequestSite['record'];
}

/** How far the replay without a policy is off the recorded usage. */
export interface Prediction {
  readonly requests: number;
  /** Tokens read from the cache. */
  readonly predicted: number;
  readonly recorded: number;
  /** The recorded prompts. */
  readonly prompt: number;
  /** The sum of the errors of all requests, in tokens read from the cache. */
  readonly off: number;
  /**
   * The sum of the errors of all prompts in tokens, if each message has the tokens that were counted, times one factor
   * for the thread.
   */
  readonly promptsOff: number;
  /** The cost of the simulated and of the recorded usage at the same prices. */
  readonly predictedCost: Picodollars | undefined;
  readonly recordedCost: Picodollars | undefined;
}

export interface Totals {
  readonly requests: number;
  readonly without: Side;
  readonly with: Side;
  readonly resultsBefore: number;
  readonly resultsKept: number;
  readonly historyResultsBefore: number;
  readonly historyResultsKept: number;
  readonly paidAgain: number;
  /** Requests in which the policy changes already sent messages. */
  readonly rewrites: number;
}

export interface Simulation {
  readonly requests: readonly SimulatedRequest[];
  readonly totals: Totals;
  readonly tokensSource: Requests['tokensSource'];
  /** The simulated caches, each once. */
  readonly caches: readonly CacheModel[];
  readonly prediction: Prediction | undefined;
  /** What the steps could not do. */
  readonly shortfalls: readonly Shortfall[];
}

/**
 * A recording that was replayed once without a policy and can be replayed with any number of policies.
 */
export interface PreparedReplay {
  play(policy: Policy): Simulation;
  /** The same, with the steps applied at the best times; undefined if the times of none can be chosen. */
  playBest(policy: Policy): Simulation | undefined;
  /** What the context of each request consists of, in the order of the requests. */
  contexts(): readonly ContextTokens[];
}

/**
 * `own`: the recorded requests of this transcript. Other ones are copies: another transcript holds them too. They are
 * replayed, because they filled the cache, but not counted.
 */
export function prepareReplay(
  transcript: Transcript,
  counting: Counting,
  options: SimulationOptions,
  own?: readonly RequestFacts[],
): PreparedReplay {
  loadAuto();
  const records = mergedRequests(recordedRequests(transcript, options));
  const ownByKey = new Map((own ?? records).map((record) => [record.key, record]));
  const finalRecords = records.map((record) =>
    record.key === undefined ? record : (ownByKey.get(record.key) ?? record),
  );
  const found = requestsOf(transcript, counting, finalRecords, options);
  const isCopy = ({ key }: RequestSite) => key !== undefined && !ownByKey.has(key);
  const cacheFor = cachesFor(found.requests, options);
  const caches = [...new Set(found.requests.flatMap(({ model }) => cacheFor(model) ?? []))];
  const play = (policy: Policy) => replay({ transcript, found, counting, cacheFor, options }, policy);
  const without = play({ steps: [], scope: 'history', carries: false });
  const prediction = predictionOf(found.requests, without, isCopy, options);
  const indexOf = new Map(transcript.messages.map((message, index) => [originOf(message) ?? message, index]));
  const timing = { transcript, found, counts: counting, cacheFor, timeOf: clockOf(found.requests, options.idle) };
  const prepared: PreparedReplay = {
    playBest(policy) {
      const best = bestTimed(policy, timing);
      return best && prepared.play(best);
    },
    play(policy) {
      const sent = policy.steps.length === 0 ? without : play(policy);
      const requests = found.requests.flatMap((site, index) =>
        isCopy(site) ? [] : [comparedOf({ site, index, without: without[index]!, sent: sent[index]! }, indexOf)],
      );
      const prompts = sent.flatMap(({ prompt }, index) => (isCopy(found.requests[index]!) ? [] : (prompt ?? [])));
      const shortfalls = shortfallsOf(policy.steps, prompts, seesAll(policy));
      const totals = totalsOf(requests);
      return { requests, totals, tokensSource: found.tokensSource, caches, prediction, shortfalls };
    },
    contexts() {
      const prompts = found.requests.map(({ recorded }, index) => promptTokens(recorded ?? without[index]!.side.usage));
      const contexts = contextTokens(transcript, counting, found, prompts);
      return contexts.filter((_, index) => !isCopy(found.requests[index]!));
    },
  };
  return prepared;
}

/** Sums requests. */
export function totalsOf(requests: readonly SimulatedRequest[]): Totals {
  const sum = (figure: (request: SimulatedRequest) => number) =>
    requests.reduce((total, request) => total + figure(request), 0);
  return {
    requests: requests.length,
    without: sumSides(requests.map((request) => request.without)),
    with: sumSides(requests.map((request) => request.with)),
    resultsBefore: sum(({ resultsBefore }) => resultsBefore),
    resultsKept: sum(({ resultsKept }) => resultsKept),
    historyResultsBefore: sum(({ historyResultsBefore }) => historyResultsBefore),
    historyResultsKept: sum(({ historyResultsKept }) => historyResultsKept),
    paidAgain: sum(({ paidAgain }) => paidAgain),
    rewrites: sum(({ firstChanged }) => (firstChanged === undefined ? 0 : 1)),
  };
}

/** The usage and cost of several requests. */
export function sumSides(sides: readonly Side[]): Side {
  return {
    usage: sides.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    cost: sides.reduce<Picodollars | undefined>(
      (sum, { cost }) => (sum === undefined || cost === undefined ? undefined : sum + cost),
      0n,
    ),
  };
}

interface BothSides {
  readonly site: RequestSite;
  readonly index: number;
  readonly without: Sent;
  readonly sent: Sent;
}

function comparedOf(
  { site, index, without, sent }: BothSides,
  indexOf: ReadonlyMap<unknown, number>,
): SimulatedRequest {
  const { message, run, model, time, recorded, record } = site;
  const placeOf = (changed: Message | undefined) =>
    changed === undefined ? undefined : indexOf.get(originOf(changed) ?? changed);
  const { change } = sent;
  return {
    index,
    message,
    run,
    model,
    time,
    callsInHistory: without.callsInHistory,
    callsBefore: without.calls,
    callsAfter: sent.calls,
    resultsBefore: without.results,
    resultsKept: sent.results,
    historyResultsBefore: without.historyResults,
    historyResultsKept: sent.historyResults,
    firstChanged: change && (placeOf(change.old) ?? placeOf(change.now) ?? message),
    paidAgain: change?.paidAgain ?? 0,
    without: without.side,
    with: sent.side,
    recorded,
    record,
  };
}

function predictionOf(
  requests: readonly RequestSite[],
  without: readonly Sent[],
  isCopy: (site: RequestSite) => boolean,
  options: SimulationOptions,
): Prediction | undefined {
  if (options.cache === 'off') return undefined;
  const known = requests.flatMap((site, index) =>
    site.recorded === undefined || isCopy(site) ? [] : [{ site, recorded: site.recorded, ...without[index]! }],
  );
  if (known.length === 0) return undefined;
  const sum = (figure: (request: (typeof known)[number]) => number) =>
    known.reduce((total, request) => total + figure(request), 0);
  const money = (figure: (request: (typeof known)[number]) => Picodollars | undefined) =>
    known.reduce<Picodollars | undefined>((total, request) => {
      const cost = figure(request);
      return total === undefined || cost === undefined ? undefined : total + cost;
    }, 0n);
  return {
    requests: known.length,
    predicted: sum(({ side }) => side.usage.cacheRead),
    recorded: sum(({ recorded }) => recorded.cacheRead),
    prompt: sum(({ recorded }) => promptTokens(recorded)),
    off: sum(({ side, recorded }) => Math.abs(side.usage.cacheRead - recorded.cacheRead)),
    promptsOff: promptsOff(known),
    predictedCost: money(({ side }) => side.cost),
    recordedCost: money(({ site, recorded }) => computedCost({ ...site, usage: recorded }, options)),
  };
}

/** How far recorded prompts are off counted ones that grow from the first prompt of their thread by one factor. */
function promptsOff(known: readonly { readonly site: RequestSite; readonly recorded: Usage }[]): number {
  let off = 0;
  for (const thread of new Set(known.map(({ site }) => site.thread))) {
    const own = known.filter(({ site }) => site.thread === thread);
    const growths = own.map(({ site, recorded }) => ({
      counted: site.counted - own[0]!.site.counted,
      recorded: promptTokens(recorded) - promptTokens(own[0]!.recorded),
    }));
    const counted = growths.reduce((sum, growth) => sum + growth.counted, 0);
    const factor = counted === 0 ? 1 : growths.reduce((sum, growth) => sum + growth.recorded, 0) / counted;
    off += growths.reduce((sum, growth) => sum + Math.abs(growth.recorded - factor * growth.counted), 0);
  }
  return off;
}
