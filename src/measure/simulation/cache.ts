/** Simulates a prompt cache: the tokens of each prompt that are read from it and written to it. */
import type { Message } from '../../transcript/types.js';
import { type CacheModel, minimumOf, writesOf } from './caches.js';

/** What a request sends: tool definitions and other tokens that are not in the recording, then messages. */
export interface Prompt {
  /** Prompts of one thread begin with the same unrecorded tokens. */
  readonly thread: number;
  readonly messages: readonly Message[];
  /** Cumulative tokens before the first message and after each message, unrecorded ones included. */
  readonly sums: readonly number[];
  /** The number of leading messages that are the same as in the previous prompt sent to this cache. */
  readonly same: number;
}

export interface CacheUse {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  readonly read: number;
  readonly written: number;
  /** Tokens that the next prompt can read, if it begins with all of this one and the entry has not expired. */
  readonly readable: number;
}

export interface Cache {
  /** `time` in seconds. With `ignoresLifetime`, the request also reads entries that have expired by then. */
  send(prompt: Prompt, time: number, ignoresLifetime?: boolean): CacheUse;
}

export const NO_CACHE: Cache = { send: ({ sums }) => ({ tokens: sums.at(-1)!, read: 0, written: 0, readable: 0 }) };

/** Creates an empty cache. Prefixes are equal if they have the same message objects in the same order. */
export function createCache(cache: CacheModel, model: string | undefined): Cache {
  const prefixes = createPrefixes();
  const { expires } = prefixes;
  const minimum = minimumOf(cache, model);
  const charges = writesOf(cache, model) !== undefined;
  const inSteps = (tokens: number) => Math.floor(tokens / cache.step) * cache.step;
  const path: number[] = []; // the prefixes of the last prompt
  let fresh = 0; // the number of leading prefixes of `path` that expire together, at `expiry`
  let expiry = 0;
  let thread: number | undefined;
  let systemEnd = 0; // the index after the system prompt
  const isLive = (at: number, time: number) => (at < fresh ? expiry : expires[path[at]!]!) >= time;
  const walk = (prompt: Prompt) => {
    const kept = prompt.thread === thread ? prompt.same + 1 : 0;
    for (let at = kept; at < fresh; at++) expires[path[at]!] = expiry;
    path.length = Math.min(path.length, kept);
    fresh = Math.min(fresh, kept);
    systemEnd = Math.min(systemEnd, Math.max(0, kept - 1));
    thread = prompt.thread;
    if (path.length === 0) path.push(prefixes.next(0, thread));
    for (let at = path.length - 1; at < prompt.messages.length; at++)
      path.push(prefixes.next(path[at]!, prefixes.numberOf(prompt.messages[at]!)));
    while (prompt.messages[systemEnd]?.role === 'system') systemEnd++;
  };
  return {
    send(prompt, time, ignoresLifetime = false) {
      walk(prompt);
      const isReadable = (at: number) => isLive(at, ignoresLifetime ? 0 : time);
      const { messages, sums } = prompt;
      const tokens = sums.at(-1)!;
      const breakpoints = [systemEnd, messages.length]; // after the system prompt and after the last message
      const hit =
        cache.entries === 'everywhere'
          ? lastLive(path.length, fresh, isReadable)
          : lastLiveNear(breakpoints, messages, cache.lookBack!, isReadable);
      const found = hit === undefined ? 0 : inSteps(Math.min(sums[hit]!, tokens));
      const read = found < minimum ? 0 : found;
      if (tokens >= minimum && cache.entries === 'everywhere')
        [fresh, expiry] = [path.length, time + cache.lifetime]; // includes the prefix that was read
      else if (tokens >= minimum) {
        for (const end of breakpoints) if (sums[end]! >= minimum) expires[path[end]!] = time + cache.lifetime;
        if (read > 0) expires[path[hit!]!] = time + cache.lifetime;
      }
      const readable = tokens < minimum ? 0 : inSteps(tokens);
      return { tokens, read, written: charges ? Math.max(0, readable - read) : 0, readable };
    },
  };
}

/** The longest prefix of which every shorter prefix is live too. The first `together` prefixes expire together. */
function lastLive(length: number, together: number, isLive: (at: number) => boolean): number | undefined {
  let at = together > 0 && isLive(0) ? together : 0;
  while (at < length && isLive(at)) at++;
  return at === 0 ? undefined : at - 1;
}

/** The first live prefix found by searching back from each breakpoint, the last one first, over `blocks` blocks. */
function lastLiveNear(
  breakpoints: readonly number[],
  messages: readonly Message[],
  blocks: number,
  isLive: (at: number) => boolean,
): number | undefined {
  for (const breakpoint of [...breakpoints].reverse()) {
    let blocksLeft = blocks;
    for (let at = breakpoint; at >= 0 && blocksLeft > 0; at--) {
      if (isLive(at)) return at;
      if (at > 0) blocksLeft -= Math.max(1, messages[at - 1]!.parts.length);
    }
  }
  return undefined;
}

/** More messages than a recording has: two numbers make one key. */
const MAX_MESSAGES = 2 ** 26;

/**
 * Numbers for prefixes: the same for the same messages in the same order. Most prefixes are longer by one message than
 * the one with the number before, so that a list holds them; prompts of many messages may share only their beginning.
 */
function createPrefixes() {
  const messageNumbers = new Map<Message, number>();
  const lasts: number[] = [BRANCH]; // the last message of each prefix that continues the one before it in this list
  const expires: number[] = [NEVER];
  const branches = new Map<number, number>(); // the other prefixes, by the prefix that they continue and their message
  const numberOf = (message: Message) => {
    let number = messageNumbers.get(message);
    if (number === undefined) {
      number = messageNumbers.size;
      messageNumbers.set(message, number);
    }
    return number;
  };
  const next = (before: number, last: number) => {
    if (lasts[before + 1] === last) return before + 1;
    const added = lasts.length;
    if (added !== before + 1) {
      const key = before * MAX_MESSAGES + last;
      const known = branches.get(key);
      if (known !== undefined) return known;
      branches.set(key, added);
    }
    lasts.push(added === before + 1 ? last : BRANCH);
    expires.push(NEVER);
    return added;
  };
  return { numberOf, next, expires };
}

const BRANCH = -1;
const NEVER = -1;
