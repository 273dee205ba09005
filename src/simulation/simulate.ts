/** What a policy would have cost: a recording played request by request, without the policy and with it. */
import type { Picodollars, PriceBook } from '../pricing/cost.js';
import type { Counting } from '../stats/counting.js';
import { originOf } from '../transcript/compare.js';
import type { Message, Part, Transcript, Usage } from '../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens } from '../transcript/usage.js';
import { type Cache, type CacheUse, createCache, NO_CACHE } from './cache.js';
import { type CacheModel, cacheNamed, cacheOf, writesOf } from './caches.js';
import { contextsOf, type Policy } from './policy.js';
import { type RequestSite, type Requests, requestsOf } from './requests.js';

export interface SimulationOptions {
  /** `auto`: the cache that the model has; `off`, or the id of one. */
  readonly cache: string;
  /** Seconds between requests, whatever the recording says. */
  readonly idle: number | undefined;
  readonly prices: PriceBook | undefined;
  /** Prices as of then; by default as of each request's own time. */
  readonly at: Date | undefined;
  /** Takes all requests for this model's. */
  readonly model: string | undefined;
}

export interface Side {
  readonly usage: Usage;
  /** Undefined where the model has no known price. */
  readonly cost: Picodollars | undefined;
}

export interface SimulatedRequest {
  /** From 0, in the order of the recording. */
  readonly index: number;
  /** The message with which the reply begins. */
  readonly message: number;
  readonly model: string | undefined;
  readonly time: number | undefined;
  /** Calls before the current run. */
  readonly callsInHistory: number;
  /** Calls in the whole context, the current run's included: as recorded, and as the policy leaves it. */
  readonly callsBefore: number;
  readonly callsAfter: number;
  readonly resultsBefore: number;
  /** Results that the policy leaves whole. */
  readonly resultsKept: number;
  /** The first message of the context before that is not sent again as it was: an index in the recording. */
  readonly firstChanged: number | undefined;
  /** Tokens that were sent before, could have been read from the cache, and are paid as new because of it. */
  readonly paidAgain: number;
  readonly without: Side;
  readonly with: Side;
  readonly recorded: Usage | undefined;
}

/** How far the cache model is off what is recorded, without a policy. */
export interface Prediction {
  readonly requests: number;
  /** Tokens read from the cache. */
  readonly predicted: number;
  readonly recorded: number;
  /** The recorded prompts. */
  readonly prompt: number;
  /** Sum of what single requests are off. */
  readonly off: number;
  /** What the requests cost by the model and by what is recorded, at the same prices. */
  readonly predictedCost: Picodollars | undefined;
  readonly recordedCost: Picodollars | undefined;
}

export interface Totals {
  readonly requests: number;
  readonly without: Side;
  readonly with: Side;
  readonly resultsBefore: number;
  readonly resultsKept: number;
  readonly paidAgain: number;
  /** Requests before which the policy changed what had been sent. */
  readonly rewrites: number;
}

export interface Simulation {
  readonly requests: readonly SimulatedRequest[];
  readonly totals: Totals;
  readonly tokensSource: Requests['tokensSource'];
  /** The caches that were played, each once. */
  readonly caches: readonly CacheModel[];
  readonly prediction: Prediction | undefined;
}

/** A recording made ready: its requests are found and its side without a policy is played once, for any number of policies. */
export interface Stage {
  play(policy: Policy): Simulation;
}

export function stageOf(transcript: Transcript, counting: Counting, options: SimulationOptions): Stage {
  const found = requestsOf(transcript, counting, options.model);
  const cacheFor = cachesFor(found.requests, options);
  const caches = [...new Set(found.requests.flatMap(({ model }) => cacheFor(model) ?? []))];
  const play = (policy: Policy) => playAll(transcript, found, policy, counting, cacheFor, options);
  const without = play({ steps: [], scope: 'history', carries: false });
  const prediction = predictionOf(found.requests, without, options);
  const indexOf = new Map(transcript.messages.map((message, index) => [originOf(message) ?? message, index]));
  return {
    play(policy) {
      const sent = policy.steps.length === 0 ? without : play(policy);
      const requests = found.requests.map((site, index) =>
        comparedOf(site, index, without[index]!, sent[index]!, indexOf),
      );
      return { requests, totals: totalsOf(requests), tokensSource: found.tokensSource, caches, prediction };
    },
  };
}

/** The sum of requests. */
export function totalsOf(requests: readonly SimulatedRequest[]): Totals {
  const sum = (figure: (request: SimulatedRequest) => number) =>
    requests.reduce((total, request) => total + figure(request), 0);
  return {
    requests: requests.length,
    without: sumSides(requests.map((request) => request.without)),
    with: sumSides(requests.map((request) => request.with)),
    resultsBefore: sum(({ resultsBefore }) => resultsBefore),
    resultsKept: sum(({ resultsKept }) => resultsKept),
    paidAgain: sum(({ paidAgain }) => paidAgain),
    rewrites: sum(({ firstChanged }) => (firstChanged === undefined ? 0 : 1)),
  };
}

function sumSides(sides: readonly Side[]): Side {
  return {
    usage: sides.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    cost: sides.reduce<Picodollars | undefined>(
      (sum, { cost }) => (sum === undefined || cost === undefined ? undefined : sum + cost),
      0n,
    ),
  };
}

// --- one side

/** A request as it is sent. */
interface Sent {
  readonly side: Side;
  readonly use: CacheUse;
  readonly calls: number;
  readonly callsInHistory: number;
  readonly results: ReadonlySet<Part>;
  /** How the context before it, of the same thread, is not sent again. */
  readonly change:
    | { readonly old: Message | undefined; readonly now: Message | undefined; readonly paidAgain: number }
    | undefined;
}

function playAll(
  transcript: Transcript,
  { requests, unseen, tokensOf }: Requests,
  policy: Policy,
  counting: Counting,
  cacheFor: (model: string | undefined) => CacheModel | undefined,
  options: SimulationOptions,
): Sent[] {
  const working = new Map<string | undefined, Cache>(); // models share no cache
  const cacheAtWork = (model: string | undefined): Cache => {
    let cache = working.get(model);
    if (cache === undefined) {
      const known = cacheFor(model);
      cache = known === undefined ? NO_CACHE(tokensOf) : createCache(known, model, tokensOf);
      working.set(model, cache);
    }
    return cache;
  };
  const timeOf = clockOf(requests, options.idle);
  const before = new Map<
    number,
    { readonly messages: readonly Message[]; readonly use: CacheUse; readonly time: number }
  >(); // by thread
  const sent: Sent[] = [];
  let index = 0;
  for (const messages of contextsOf(transcript, requests, policy, counting)) {
    const request = requests[index]!;
    const time = timeOf(index++);
    const use = cacheAtWork(request.model).send(
      { thread: request.thread, unseen: unseen[request.thread]!, messages },
      time,
    );
    const last = before.get(request.thread);
    const lifetime = cacheFor(request.model)?.lifetime ?? 0;
    const change =
      last === undefined
        ? undefined
        : changeOf(
            last.messages,
            messages,
            unseen[request.thread]!,
            tokensOf,
            time - last.time > lifetime ? 0 : last.use.left,
            use.read,
          );
    before.set(request.thread, { messages, use, time });
    sent.push({
      ...tallyOf(messages, request, transcript),
      side: sideOf(request, use, cacheFor(request.model), options),
      use,
      change,
    });
  }
  return sent;
}

/** Where one context stops being the beginning of the next. `left` is what the cache held of the old one, `read` what was found of it. */
function changeOf(
  old: readonly Message[],
  now: readonly Message[],
  unseen: number,
  tokensOf: (message: Message) => number,
  left: number,
  read: number,
): Sent['change'] {
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  if (same === old.length) return undefined;
  const known = new Set(old);
  const again = now.reduce((sum, message) => sum + (known.has(message) ? tokensOf(message) : 0), unseen);
  return { old: old[same], now: now[same], paidAgain: Math.max(0, Math.min(again, left) - read) };
}

function tallyOf(
  messages: readonly Message[],
  { start, run }: RequestSite,
  transcript: Transcript,
): Pick<Sent, 'calls' | 'callsInHistory' | 'results'> {
  const results = new Set<Part>();
  let calls = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'call') calls++;
      else if (part.type === 'result') results.add(part);
    }
  }
  let callsInHistory = 0;
  for (let at = start; at < run; at++)
    for (const { type } of transcript.messages[at]!.parts) if (type === 'call') callsInHistory++;
  return { calls, callsInHistory, results };
}

function sideOf(
  { model, time, output, reasoning }: RequestSite,
  { tokens, read, written }: CacheUse,
  cache: CacheModel | undefined,
  { prices, at }: SimulationOptions,
): Side {
  const writes = cache && writesOf(cache, model);
  const usage: Usage = {
    ...NO_USAGE,
    input: tokens - read - written,
    cacheRead: read,
    ...(writes === undefined ? {} : { [writes]: written }),
    output,
    reasoning,
  };
  return { usage, cost: costOf(model, usage, time, prices, at) };
}

function costOf(
  model: string | undefined,
  usage: Usage,
  time: number | undefined,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Picodollars | undefined {
  return model === undefined
    ? undefined
    : prices?.cost(model, usage, at ?? (time === undefined ? undefined : new Date(time))).usd;
}

/** The seconds at which requests are sent. One whose time is not recorded comes with the one before. */
function clockOf(requests: readonly RequestSite[], idle: number | undefined): (index: number) => number {
  if (idle !== undefined) return (index) => index * idle;
  let last = 0;
  const times = requests.map(({ time }) => {
    last = time === undefined ? last : time / 1000;
    return last;
  });
  return (index) => times[index]!;
}

/** Anthropic's cache that holds an hour is taken where the recording shows that it was used. */
function cachesFor(
  requests: readonly RequestSite[],
  { cache }: SimulationOptions,
): (model: string | undefined) => CacheModel | undefined {
  if (cache === 'off') return () => undefined;
  if (cache !== 'auto') return () => cacheNamed(cache);
  const written = requests.reduce((sum, { recorded }) => addUsage(sum, recorded ?? NO_USAGE), NO_USAGE);
  const holdsAnHour = written.cacheWrite1h > written.cacheWrite5m;
  return (model) => {
    const known = model === undefined ? undefined : cacheOf(model);
    return holdsAnHour && known?.writes === 'cacheWrite5m' && known.writesOf === undefined
      ? cacheNamed(`${known.id}-1h`)
      : known;
  };
}

// --- both

function comparedOf(
  site: RequestSite,
  index: number,
  without: Sent,
  sent: Sent,
  indexOf: ReadonlyMap<unknown, number>,
): SimulatedRequest {
  const { message, model, time, recorded } = site;
  const placeOf = (changed: Message | undefined) =>
    changed === undefined ? undefined : indexOf.get(originOf(changed) ?? changed);
  let resultsKept = 0;
  for (const result of sent.results) if (without.results.has(result)) resultsKept++;
  const { change } = sent;
  return {
    index,
    message,
    model,
    time,
    callsInHistory: without.callsInHistory,
    callsBefore: without.calls,
    callsAfter: sent.calls,
    resultsBefore: without.results.size,
    resultsKept,
    firstChanged: change && (placeOf(change.old) ?? placeOf(change.now) ?? message),
    paidAgain: change?.paidAgain ?? 0,
    without: without.side,
    with: sent.side,
    recorded,
  };
}

function predictionOf(
  requests: readonly RequestSite[],
  without: readonly Sent[],
  { prices, at, cache }: SimulationOptions,
): Prediction | undefined {
  if (cache === 'off') return undefined;
  const known = requests.flatMap((site, index) =>
    site.recorded === undefined ? [] : [{ site, recorded: site.recorded, side: without[index]!.side }],
  );
  if (known.length === 0) return undefined;
  const sum = (figure: (of: (typeof known)[number]) => number) => known.reduce((total, of) => total + figure(of), 0);
  const money = (figure: (of: (typeof known)[number]) => Picodollars | undefined) =>
    known.reduce<Picodollars | undefined>((total, of) => {
      const cost = figure(of);
      return total === undefined || cost === undefined ? undefined : total + cost;
    }, 0n);
  return {
    requests: known.length,
    predicted: sum(({ side }) => side.usage.cacheRead),
    recorded: sum(({ recorded }) => recorded.cacheRead),
    prompt: sum(({ recorded }) => promptTokens(recorded)),
    off: sum(({ side, recorded }) => Math.abs(side.usage.cacheRead - recorded.cacheRead)),
    predictedCost: money(({ side }) => side.cost),
    recordedCost: money(({ site, recorded }) => costOf(site.model, recorded, site.time, prices, at)),
  };
}
