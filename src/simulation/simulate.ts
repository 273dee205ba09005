/** What a policy would have cost: a recording played request by request, without the policy and with it. */
import type { Picodollars } from '../decimals.js';
import type { PriceBook } from '../pricing/cost.js';
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
export interface PreparedReplay {
  play(policy: Policy): Simulation;
}

export function prepareReplay(transcript: Transcript, counting: Counting, options: SimulationOptions): PreparedReplay {
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
  /** Results that are whole: the recording's own. */
  readonly results: number;
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
  const working = new Map<string | undefined, { readonly cache: Cache; last: number }>(); // models share no cache
  const cacheAtWork = (model: string | undefined) => {
    let own = working.get(model);
    if (own === undefined) {
      const known = cacheFor(model);
      own = { cache: known === undefined ? NO_CACHE : createCache(known, model), last: -1 };
      working.set(model, own);
    }
    return own;
  };
  const timeOf = clockOf(requests, options.idle);
  const own = new Set<Part>(transcript.messages.flatMap(({ parts }) => parts));
  const callsBefore = [0]; // by message of the recording
  for (const { parts } of transcript.messages) callsBefore.push(callsBefore.at(-1)! + countOf(parts, isCall));
  const sent: Sent[] = [];
  let context = createContext(0, tokensOf, own);
  let last: { readonly thread: number; readonly left: number; readonly time: number } | undefined;
  let index = 0;
  for (const { same, added } of contextsOf(transcript, requests, policy, counting)) {
    const request = requests[index]!;
    const { thread, model, start, run } = request;
    const time = timeOf(index);
    if (last?.thread !== thread) {
      last = undefined;
      context = createContext(unseen[thread]!, tokensOf, own);
    }
    const broken = last === undefined ? undefined : context.breakAt(same, added);
    context.goOn(same, added, index);
    const atWork = cacheAtWork(model);
    const { messages, sums } = context;
    const use = atWork.cache.send({ thread, messages, sums, same: context.sameSince(atWork.last) }, time);
    atWork.last = index;
    const lifetime = cacheFor(model)?.lifetime ?? 0;
    const left = last === undefined || time - last.time > lifetime ? 0 : last.left;
    last = { thread, left: use.left, time };
    sent.push({
      ...context.tally(),
      callsInHistory: callsBefore[run]! - callsBefore[start]!,
      side: sideOf(request, use, cacheFor(model), options),
      use,
      change: broken && {
        old: broken.old,
        now: broken.now,
        paidAgain: Math.max(0, Math.min(broken.again, left) - use.read),
      },
    });
    index++;
  }
  return sent;
}

const isCall = ({ type }: Part) => type === 'call';

function countOf(parts: readonly Part[], counts: (part: Part) => boolean): number {
  return parts.reduce((sum, part) => sum + (counts(part) ? 1 : 0), 0);
}

/** What is sent, request by request of a thread, with figures up to each place between messages: what stays is not looked at again. */
function createContext(unseen: number, tokensOf: (message: Message) => number, own: ReadonlySet<Part>) {
  const messages: Message[] = [];
  const since: number[] = []; // the request that brought each message here
  const sums = [unseen];
  const calls = [0];
  const results = [0];
  const times = new Map<Message, number>(); // how often each is there
  return {
    messages,
    sums,
    /** Where the context stops being the beginning of the next: what stood there, what stands there now, and the tokens that are sent again. */
    breakAt(same: number, added: readonly Message[]) {
      if (same === messages.length) return undefined;
      const again = added.reduce((sum, message) => sum + (times.has(message) ? tokensOf(message) : 0), sums[same]!);
      return { old: messages[same], now: added[0], again };
    },
    goOn(same: number, added: readonly Message[], request: number) {
      for (const message of messages.splice(same)) {
        const left = times.get(message)! - 1;
        if (left > 0) times.set(message, left);
        else times.delete(message);
      }
      for (const list of [sums, calls, results]) list.length = same + 1;
      since.length = same;
      for (const message of added) {
        const at = messages.push(message) - 1;
        since.push(request);
        times.set(message, (times.get(message) ?? 0) + 1);
        sums.push(sums[at]! + tokensOf(message));
        calls.push(calls[at]! + countOf(message.parts, isCall));
        results.push(results[at]! + countOf(message.parts, (part) => part.type === 'result' && own.has(part)));
      }
    },
    /** How many of the first messages are what they were at that request. */
    sameSince(request: number): number {
      let [low, high] = [0, since.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (since[middle]! > request) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    tally: () => ({ calls: calls.at(-1)!, results: results.at(-1)! }),
  };
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
  const { change } = sent;
  return {
    index,
    message,
    model,
    time,
    callsInHistory: without.callsInHistory,
    callsBefore: without.calls,
    callsAfter: sent.calls,
    resultsBefore: without.results,
    resultsKept: sent.results,
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
