/** A prompt cache at work: what of each prompt is read from it, and what is written to it. */
import type { Message } from '../transcript/types.js';
import { type CacheModel, minimumOf, writesOf } from './caches.js';

/** What is sent: tool definitions and whatever else the recording does not hold, then messages. */
export interface Prompt {
  /** Prompts of one thread begin with the same unseen tokens. */
  readonly thread: number;
  readonly messages: readonly Message[];
  /** Tokens up to each place between messages, the unseen ones included. */
  readonly sums: readonly number[];
  /** How many of the first messages are those of the prompt that this cache was sent before. */
  readonly same: number;
}

export interface CacheUse {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  readonly read: number;
  readonly written: number;
  /** Tokens that the next prompt can read, if it begins with all of this one and comes in time. */
  readonly left: number;
}

export interface Cache {
  /** `time` in seconds. */
  send(prompt: Prompt, time: number): CacheUse;
}

export const NO_CACHE: Cache = {
  send: ({ sums }) => ({ tokens: sums.at(-1)!, read: 0, written: 0, left: 0 }),
};

/** A cache that is empty. Prefixes are told apart by the messages in them: the same objects, in the same order. */
export function createCache(cache: CacheModel, model: string | undefined): Cache {
  const prefixes = createPrefixes();
  const expires = new Map<number, number>();
  const minimum = minimumOf(cache, model);
  const charges = writesOf(cache, model) !== undefined;
  const inSteps = (tokens: number) => Math.floor(tokens / cache.step) * cache.step;
  const path: number[] = []; // the prefixes of the last prompt
  let fresh = 0; // of these, so many of the first expire together
  let expiry = 0;
  let thread: number | undefined;
  let spoken = 0; // where the system prompt ends
  const isLive = (at: number, time: number) => (at < fresh ? expiry : (expires.get(path[at]!) ?? -1)) >= time;
  const walk = (prompt: Prompt) => {
    const left = prompt.thread === thread ? prompt.same + 1 : 0;
    for (let at = left; at < fresh; at++) expires.set(path[at]!, expiry);
    path.length = Math.min(path.length, left);
    fresh = Math.min(fresh, left);
    spoken = Math.min(spoken, Math.max(0, left - 1));
    thread = prompt.thread;
    if (path.length === 0) path.push(prefixes.next(0, thread));
    for (let at = path.length - 1; at < prompt.messages.length; at++)
      path.push(prefixes.next(path[at]!, prefixes.numberOf(prompt.messages[at]!)));
    while (prompt.messages[spoken]?.role === 'system') spoken++;
  };
  return {
    send(prompt, time) {
      walk(prompt);
      const { messages, sums } = prompt;
      const tokens = sums.at(-1)!;
      const breakpoints = [spoken, messages.length]; // after the system prompt and after the last message
      const hit =
        cache.entries === 'everywhere'
          ? lastLive(path.length, fresh, (at) => isLive(at, time))
          : lookedBack(breakpoints, messages, cache.lookBack!, (at) => isLive(at, time));
      const found = hit === undefined ? 0 : inSteps(sums[hit]!);
      const read = found < minimum ? 0 : found;
      if (tokens >= minimum && cache.entries === 'everywhere')
        [fresh, expiry] = [path.length, time + cache.lifetime]; // the one that was read from among them
      else if (tokens >= minimum) {
        for (const end of breakpoints) if (sums[end]! >= minimum) expires.set(path[end]!, time + cache.lifetime);
        if (read > 0) expires.set(path[hit!]!, time + cache.lifetime);
      }
      const left = tokens < minimum ? 0 : inSteps(tokens);
      return { tokens, read, written: charges ? Math.max(0, left - read) : 0, left };
    },
  };
}

/** The longest prefix whose every message was sent so before. The first ones live or die together. */
function lastLive(length: number, together: number, isLive: (at: number) => boolean): number | undefined {
  let at = together > 0 && isLive(0) ? together : 0;
  while (at < length && isLive(at)) at++;
  return at === 0 ? undefined : at - 1;
}

/** From each breakpoint back, the last one first, over so many blocks. */
function lookedBack(
  breakpoints: readonly number[],
  messages: readonly Message[],
  blocks: number,
  isLive: (at: number) => boolean,
): number | undefined {
  for (const breakpoint of [...breakpoints].reverse()) {
    let left = blocks;
    for (let at = breakpoint; at >= 0 && left > 0; at--) {
      if (isLive(at)) return at;
      if (at > 0) left -= Math.max(1, messages[at - 1]!.parts.length);
    }
  }
  return undefined;
}

const MOST = 2 ** 26;

/** Numbers for prefixes: the same for the same messages in the same order. */
function createPrefixes() {
  const messageNumbers = new Map<Message, number>();
  const numbers = new Map<number, number>();
  const numberOf = (message: Message) => {
    let number = messageNumbers.get(message);
    if (number === undefined) {
      number = messageNumbers.size;
      messageNumbers.set(message, number);
    }
    return number;
  };
  const next = (before: number, last: number) => {
    const key = before * MOST + last;
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(key, number);
    }
    return number;
  };
  return { numberOf, next };
}
