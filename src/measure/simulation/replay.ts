/** Replays the requests of a recording against a prompt cache, with the context that a policy leaves. */
import type { Picodollars } from '../../decimals.js';
import type { MediaTokens, Message, Part, Transcript, Usage } from '../../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens } from '../../transcript/usage.js';
import type { Counting } from '../stats/counting.js';
import { computedCost, type Pricing } from '../stats/request.js';
import type { CacheUse } from './cache.js';
import { type CacheModel, cacheNamed, cacheOf, withoutWrites, writesOf } from './caches.js';
import { layoutOf } from './layout.js';
import { createModelCaches } from './model-caches.js';
import { contextsOf, type Policy } from './policy.js';
import { promptMediaIn } from './prompt-media.js';
import type { RequestSite, Requests } from './requests.js';
import { countParts, createContext, isCall } from './sent-context.js';
import { createPrompts, hasBudget } from './shortfalls.js';

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
  /** The tokens of the prompt as the steps count them, if one of them has a budget. */
  readonly prompt: number | undefined;
  readonly calls: number;
  readonly callsInHistory: number;
  /** Results that the policy has not changed. */
  readonly results: number;
  /** Those of them that are before the current run. */
  readonly historyResults: number;
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
  const caches = createModelCaches(cacheFor);
  const timeOf = clockOf(requests, options.idle);
  const layout = layoutOf(transcript, found);
  const own = new Set<Part>(transcript.messages.flatMap(({ parts }) => parts));
  const callsBefore = [0]; // by message of the recording
  for (const { parts } of transcript.messages) callsBefore.push(callsBefore.at(-1)! + countParts(parts, isCall));
  const callsIn = (head: readonly number[] = []) =>
    head.reduce((sum, index) => sum + callsBefore[index + 1]! - callsBefore[index]!, 0);
  const contextOf = ({ thread, start, head }: Pick<RequestSite, 'thread' | 'start' | 'head'>) =>
    createContext({
      unseen: unseen[thread]!,
      own,
      tokensOf,
      measuredUpTo(message) {
        const index = layout.indexOf(message);
        return index === undefined ? undefined : layout.measuredUpTo(index, { thread, start, head });
      },
    });
  const follows = followsRecording(options);
  const promptOf = hasBudget(policy.steps) ? createPrompts(transcript, counting) : undefined;
  const media = promptMediaIn(transcript.messages, requests);
  const sent: Sent[] = [];
  let context = contextOf({ thread: 0, start: 0 });
  let last: LastRequest | undefined;
  let index = 0;
  const seen = { ...transcript, model: requests[0]?.model ?? transcript.model };
  for (const { same, added } of contextsOf(seen, requests, cached(policy, options), counting)) {
    const request = requests[index]!;
    const { thread, model, start, run } = request;
    const time = timeOf(index);
    if (last?.thread !== thread) {
      last = undefined;
      context = contextOf(request);
    }
    const broken = last === undefined ? undefined : context.breakAt(same, added);
    const whole = layout.measuredUpTo(request.message - 1, request);
    const { unexplained } = whole;
    context.advance(same, added, index, whole);
    media.advance(same, added);
    const recorded =
      follows && request.recorded !== undefined
        ? {
            tokens: layout.readOf(request, request.recorded, context),
            unexplained: unexplained - (last?.unexplained ?? 0),
          }
        : undefined;
    const use = caches.send({ index, thread, model, time }, context, recorded);
    const lifetime = recorded === undefined ? (cacheFor(model)?.lifetime ?? 0) : Number.POSITIVE_INFINITY;
    const isExpired = last !== undefined && time - last.time > lifetime;
    const readable = last === undefined || isExpired ? 0 : last.readable;
    last = { thread, readable: use.readable, time, unexplained };
    const { calls, results } = context.tally();
    sent.push({
      prompt: promptOf?.(same, added),
      calls,
      results,
      callsInHistory: callsBefore[run]! - callsBefore[start]! + callsIn(request.head),
      historyResults: context.resultsBefore(layout.positionOf(run, context.messages)),
      side: sideOf(request, use, media.of(request, context, use), cacheFor(model), options),
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

/** Steps that go by a prompt cache go by the one that is simulated. */
function cached(policy: Policy, { cache }: SimulationOptions): Policy {
  const steps = policy.steps.map(({ transform, values }) => {
    const isOpen = values['every'] === 'auto' && values['promptCache'] === undefined && cache !== 'auto';
    return { transform, values: isOpen ? { ...values, promptCache: cache } : values };
  });
  return { ...policy, steps };
}

interface LastRequest {
  readonly thread: number;
  readonly readable: number;
  readonly time: number;
  /** Tokens of its prompt that no message explains. */
  readonly unexplained: number;
}

/** Whether requests find the cache as the recorded requests did: not if another cache or another pace is assumed. */
export function followsRecording({ cache, idle, asModel }: SimulationOptions): boolean {
  return cache === 'auto' && idle === undefined && asModel === undefined;
}

function sideOf(
  site: RequestSite,
  { tokens, read, written }: CacheUse,
  media: MediaTokens,
  cache: CacheModel | undefined,
  options: SimulationOptions,
): Side {
  const { model, time, billing, output, reasoning, recorded } = site;
  const writes = cache && writesOf(cache, model);
  const usage: Usage = {
    ...NO_USAGE,
    input: tokens - read - written,
    cacheRead: read,
    ...(writes === undefined ? {} : { [writes]: written }),
    output,
    reasoning,
    ...(recorded?.media === undefined ? {} : { media: { ...media, ...outputMedia(recorded.media) } }),
  };
  return { usage, cost: computedCost({ model, usage, time, billing }, options) };
}

/** What of an output was no text. */
function outputMedia({ outputAudio = 0, outputImage = 0, outputVideo = 0 }: MediaTokens): MediaTokens {
  return { outputAudio, outputImage, outputVideo };
}

/**
 * When each request is sent, in seconds. A request without a recorded time is sent with the one before it, or with the
 * first one that has a time.
 */
export function clockOf(requests: readonly RequestSite[], idle: number | undefined): (index: number) => number {
  if (idle !== undefined) return (index) => index * idle;
  let last = (requests.find(({ time }) => time !== undefined)?.time ?? 0) / 1000;
  const times = requests.map(({ time }) => {
    last = time === undefined ? last : time / 1000;
    return last;
  });
  return (index) => times[index]!;
}

/**
 * The cache of each model, as the recorded usage shows it: none if no token was cached, Anthropic's one-hour cache if
 * most writes went to it, and no price for writes if none was recorded.
 */
export function cachesFor(
  requests: readonly RequestSite[],
  { cache }: SimulationOptions,
): (model: string | undefined) => CacheModel | undefined {
  if (cache === 'off') return () => undefined;
  if (cache !== 'auto') return () => cacheNamed(cache);
  const recorded = requests.reduce((sum, request) => addUsage(sum, request.recorded ?? NO_USAGE), NO_USAGE);
  const written = recorded.cacheWrite5m + recorded.cacheWrite1h;
  if (promptTokens(recorded) > 0 && recorded.cacheRead + written === 0) return () => undefined;
  const isWriteFree = recorded.cacheRead > 0 && written === 0;
  const usesHourCache = recorded.cacheWrite1h > recorded.cacheWrite5m;
  return (model) => {
    const known = model === undefined ? undefined : cacheOf(model);
    if (isWriteFree) return known && withoutWrites(known);
    return usesHourCache && known?.writes === 'cacheWrite5m' && known.writesOf === undefined
      ? cacheNamed(`${known.id}-1h`)
      : known;
  };
}
