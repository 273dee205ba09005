/** The best that any timing of a policy can do: when to shorten the history, found with the whole recording known. */
import type { Transcript } from '../../transcript/types.js';
import { termsFor } from '../../transforms/cache-terms.js';
import type { Step } from '../../transforms/pipeline.js';
import type { Counts } from '../../transforms/transform.js';
import { type CacheModel, hitShare } from './caches.js';
import { contextsOf, type Policy } from './policy.js';
import type { RequestSite, Requests } from './requests.js';

/** A request, in tokens. */
export interface Timed {
  /** Its prompt if the policy is applied now, to all of the history. */
  readonly whole: number;
  /** Up to where that is as it was at the request before; infinite if all of it is. */
  readonly kept: number;
  /** What its prompt has more than that of the request before. */
  readonly grown: number;
  /** The share of what the cache holds that it reads. */
  readonly hit: number;
}

/**
 * The requests at which to apply the policy, by dynamic programming over the last one so far: between two of them,
 * prompts only grow. `unseen`: the tokens of each prompt that are in no message.
 */
export function bestTimes(
  requests: readonly Timed[],
  unseen: number,
  { read, write }: { readonly read: number; readonly write: number },
): number[] {
  const cost = (tokens: number, known: number, hit: number) => write * tokens - (write - read) * known * hit;
  const states = [{ at: -1, before: -1, tokens: unseen, kept: Number.POSITIVE_INFINITY, spent: 0 }];
  for (const [at, { whole, kept, grown, hit }] of requests.entries()) {
    const now = { at, before: -1, tokens: whole, kept: Number.POSITIVE_INFINITY, spent: Number.POSITIVE_INFINITY };
    for (const state of states) {
      state.kept = Math.min(state.kept, kept);
      const spent = state.spent + cost(whole, Math.min(state.kept, state.tokens), hit);
      if (spent < now.spent) [now.spent, now.before] = [spent, state.at];
      state.spent += cost(state.tokens + grown, state.tokens, hit);
      state.tokens += grown;
    }
    states.push(now);
  }
  const times: number[] = [];
  let last = states.reduce((least, state) => (state.spent < least.spent ? state : least));
  for (; last.at >= 0; last = states[last.before + 1]!) times.push(last.at);
  return times.reverse();
}

export interface Timing {
  readonly transcript: Transcript;
  readonly found: Requests;
  readonly counts: Counts;
  readonly cacheFor: (model: string | undefined) => CacheModel | undefined;
  /** When each request is sent, in seconds. */
  readonly timeOf: (index: number) => number;
}

/** The policy with its steps applied at the best times; undefined if none of its steps can be timed. */
export function bestTimed(policy: Policy, timing: Timing): Policy | undefined {
  const { requests, unseen } = timing.found;
  if (!policy.steps.some(isTimed)) return undefined;
  const timed = timedRequests({ ...policy, steps: policy.steps.map((step) => paced(step, 1)) }, timing);
  const ends = new Set<number>();
  for (const [thread, tokens] of unseen.entries()) {
    const own = [...requests.keys()].filter((index) => requests[index]!.thread === thread);
    const { model } = requests[own[0]!] ?? { model: undefined };
    const terms = termsFor(timing.cacheFor(model)?.id ?? 'off', model);
    const times = bestTimes(
      own.map((index) => timed[index]!),
      tokens,
      terms,
    );
    for (const at of times) ends.add(requests[own[at]!]!.message);
  }
  return { ...policy, steps: policy.steps.map((step) => paced(step, ends)) };
}

const isTimed = ({ transform }: Step) => Object.hasOwn(transform.options, 'every');

function paced(step: Step, every: unknown): Step {
  return isTimed(step) ? { ...step, values: { ...step.values, every } as unknown as Step['values'] } : step;
}

function timedRequests(policy: Policy, { transcript, found, counts, cacheFor, timeOf }: Timing): Timed[] {
  const { requests, tokensOf, unseen } = found;
  const { messages } = transcript;
  const sums: number[] = [];
  let before: RequestSite | undefined;
  const all: Timed[] = [];
  for (const { same, added } of contextsOf(transcript, requests, policy, counts)) {
    const index = all.length;
    const request = requests[index]!;
    const isFirst = before?.thread !== request.thread;
    if (isFirst) sums.splice(0, sums.length, unseen[request.thread]!);
    const kept = same + 1 < sums.length ? sums[same]! : Number.POSITIVE_INFINITY;
    sums.length = same + 1;
    for (const message of added) sums.push(sums.at(-1)! + tokensOf(message));
    const head = isFirst ? (request.head ?? []).map((at) => messages[at]!) : [];
    const news = [...head, ...messages.slice(isFirst ? request.start : before!.message, request.message)];
    const grown = news.reduce((sum, message) => sum + (message.role === 'meta' ? 0 : tokensOf(message)), 0);
    const cache = cacheFor(request.model);
    const idle = isFirst ? Number.POSITIVE_INFINITY : timeOf(index) - timeOf(index - 1);
    const hit = cache === undefined || idle > cache.lifetime ? 0 : hitShare(cache, idle);
    all.push({ whole: sums.at(-1)!, kept, grown, hit });
    before = request;
  }
  return all;
}
