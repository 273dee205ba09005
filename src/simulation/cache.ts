/** A prompt cache at work: what of each prompt is read from it, and what is written to it. */
import type { Message } from '../transcript/types.js';
import { type CacheModel, minimumOf, writesOf } from './caches.js';

/** What is sent: tool definitions and whatever else the recording does not hold, then messages. */
export interface Prompt {
  /** Prompts of one thread begin with the same unseen tokens. */
  readonly thread: number;
  readonly unseen: number;
  readonly messages: readonly Message[];
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

type TokensOf = (message: Message) => number;

export const NO_CACHE = (tokensOf: TokensOf): Cache => ({
  send: ({ unseen, messages }) => ({
    tokens: messages.reduce((sum, message) => sum + tokensOf(message), unseen),
    read: 0,
    written: 0,
    left: 0,
  }),
});

/** A cache that is empty. Prefixes are told apart by the messages in them: the same objects, in the same order. */
export function createCache(cache: CacheModel, model: string | undefined, tokensOf: TokensOf): Cache {
  const prefixes = createPrefixes();
  const expires = new Map<number, number>();
  const minimum = minimumOf(cache, model);
  const charges = writesOf(cache, model) !== undefined;
  const inSteps = (tokens: number) => Math.floor(tokens / cache.step) * cache.step;
  return {
    send({ thread, unseen, messages }, time) {
      const path = prefixes.along(thread, messages);
      const sums = sumsAlong(unseen, messages, tokensOf);
      const isLive = (at: number) => (expires.get(path[at]!) ?? -1) >= time;
      const tokens = sums.at(-1)!;
      const breakpoints = breakpointsOf(messages);
      const hit =
        cache.entries === 'everywhere'
          ? lastLive(path.length, isLive)
          : lookedBack(breakpoints, messages, cache.lookBack!, isLive);
      const found = hit === undefined ? 0 : inSteps(sums[hit]!);
      const read = found < minimum ? 0 : found;
      const ends = cache.entries === 'everywhere' ? path.keys() : breakpoints.filter((end) => sums[end]! >= minimum);
      if (tokens >= minimum) for (const end of ends) expires.set(path[end]!, time + cache.lifetime);
      if (read > 0) expires.set(path[hit!]!, time + cache.lifetime);
      const left = tokens < minimum ? 0 : inSteps(tokens);
      return { tokens, read, written: charges ? Math.max(0, left - read) : 0, left };
    },
  };
}

/** The longest prefix whose every message was sent so before. */
function lastLive(length: number, isLive: (at: number) => boolean): number | undefined {
  let at = 0;
  while (at < length && isLive(at)) at++;
  return at === 0 ? undefined : at - 1;
}

/** Where breakpoints stand: behind the system prompt and behind the last message; 0 is before the first message. */
function breakpointsOf(messages: readonly Message[]): number[] {
  const spoken = messages.findIndex(({ role }) => role !== 'system');
  return [spoken < 0 ? messages.length : spoken, messages.length];
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

/** Tokens up to each place between messages. */
function sumsAlong(unseen: number, messages: readonly Message[], tokensOf: TokensOf): number[] {
  const sums = [unseen];
  for (const message of messages) sums.push(sums[sums.length - 1]! + tokensOf(message));
  return sums;
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
  return {
    along(thread: number, messages: readonly Message[]): number[] {
      const path = [next(0, thread)];
      for (const message of messages) path.push(next(path[path.length - 1]!, numberOf(message)));
      return path;
    },
  };
}
