/** Replays the requests of a recording against a prompt cache, with the context that a policy leaves. */
import type { Picodollars } from '../decimals.js';
import type { Counting } from '../stats/counting.js';
import { computedCost, type Pricing } from '../stats/request.js';
import type { Message, Part, Transcript, Usage } from '../transcript/types.js';
import { addUsage, NO_USAGE } from '../transcript/usage.js';
import { type Cache, type CacheUse, createCache, NO_CACHE } from './cache.js';
import { type CacheModel, cacheNamed, cacheOf, writesOf } from './caches.js';
import { contextsOf, type Policy } from './policy.js';
import type { RequestSite, Requests } from './requests.js';
import { countParts, createContext, isCall } from './sent-context.js';

export interface SimulationOptions extends Pricing {
  /** `auto` (the cache of the model), `off`, or the id of a cache. */
  readonly cache: string;
  /** Seconds between requests, instead of the recorded times. */
  readonly idle: number | undefined;
}

export interface Side {
  readonly usage: Usage;
  /** Undefined if the model has no known price. */
  readonly cost: Picodollars | undefined;
}

/** A replayed request. */
export interface Sent {
  readonly side: Side;
  readonly use: CacheUse;
  readonly calls: number;
  readonly callsInHistory: number;
  /** Results that the policy has not changed. */
  readonly results: number;
  /** The first change to the previous context of the same thread. */
  readonly change:
    | { readonly old: Message | undefined; readonly now: Message | undefined; readonly paidAgain: number }
    | undefined;
}

export interface Recording {
  readonly transcript: Transcript;
  readonly found: Requests;
  readonly counting: Counting;
  readonly cacheFor: (model: string | undefined) => CacheModel | undefined;
  readonly options: SimulationOptions;
}

/** Replays the requests in the order of the recording, with the policy applied. */
export function replay({ transcript, found, counting, cacheFor, options }: Recording, policy: Policy): Sent[] {
  const { requests, unseen, tokensOf } = found;
  // by model: models share no cache
  const caches = new Map<string | undefined, { readonly cache: Cache; last: number }>();
  const cacheOfModel = (model: string | undefined) => {
    let own = caches.get(model);
    if (own === undefined) {
      const known = cacheFor(model);
      own = { cache: known === undefined ? NO_CACHE : createCache(known, model), last: -1 };
      caches.set(model, own);
    }
    return own;
  };
  const timeOf = clockOf(requests, options.idle);
  const own = new Set<Part>(transcript.messages.flatMap(({ parts }) => parts));
  const callsBefore = [0]; // by message of the recording
  for (const { parts } of transcript.messages) callsBefore.push(callsBefore.at(-1)! + countParts(parts, isCall));
  const sent: Sent[] = [];
  let context = createContext(0, tokensOf, own);
  let last: { readonly thread: number; readonly readable: number; readonly time: number } | undefined;
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
    context.advance(same, added, index);
    const atWork = cacheOfModel(model);
    const { messages, sums } = context;
    const use = atWork.cache.send({ thread, messages, sums, same: context.sameSince(atWork.last) }, time);
    atWork.last = index;
    const lifetime = cacheFor(model)?.lifetime ?? 0;
    const readable = last === undefined || time - last.time > lifetime ? 0 : last.readable;
    last = { thread, readable: use.readable, time };
    sent.push({
      ...context.tally(),
      callsInHistory: callsBefore[run]! - callsBefore[start]!,
      side: sideOf(request, use, cacheFor(model), options),
      use,
      change: broken && {
        old: broken.old,
        now: broken.now,
        paidAgain: Math.max(0, Math.min(broken.again, readable) - use.read),
      },
    });
    index++;
  }
  return sent;
}

function sideOf(
  site: RequestSite,
  { tokens, read, written }: CacheUse,
  cache: CacheModel | undefined,
  options: SimulationOptions,
): Side {
  const { model, output, reasoning } = site;
  const writes = cache && writesOf(cache, model);
  const usage: Usage = {
    ...NO_USAGE,
    input: tokens - read - written,
    cacheRead: read,
    ...(writes === undefined ? {} : { [writes]: written }),
    output,
    reasoning,
  };
  return { usage, cost: computedCost({ ...site, usage }, options) };
}

/** When each request is sent, in seconds. A request without a recorded time is sent with the one before it. */
function clockOf(requests: readonly RequestSite[], idle: number | undefined): (index: number) => number {
  if (idle !== undefined) return (index) => index * idle;
  let last = 0;
  const times = requests.map(({ time }) => {
    last = time === undefined ? last : time / 1000;
    return last;
  });
  return (index) => times[index]!;
}

/** The cache of each model. Anthropic's one-hour cache is used if most recorded cache writes went to it. */
export function cachesFor(
  requests: readonly RequestSite[],
  { cache }: SimulationOptions,
): (model: string | undefined) => CacheModel | undefined {
  if (cache === 'off') return () => undefined;
  if (cache !== 'auto') return () => cacheNamed(cache);
  const written = requests.reduce((sum, { recorded }) => addUsage(sum, recorded ?? NO_USAGE), NO_USAGE);
  const usesHourCache = written.cacheWrite1h > written.cacheWrite5m;
  return (model) => {
    const known = model === undefined ? undefined : cacheOf(model);
    return usesHourCache && known?.writes === 'cacheWrite5m' && known.writesOf === undefined
      ? cacheNamed(`${known.id}-1h`)
      : known;
  };
}
