/** The messages that the requests of a thread send, with running totals. */
import type { Message, Part } from '../transcript/types.js';

export const isCall = ({ type }: Part) => type === 'call';

/** The number of parts of a kind. */
export function countParts(parts: readonly Part[], isCounted: (part: Part) => boolean): number {
  return parts.reduce((sum, part) => sum + (isCounted(part) ? 1 : 0), 0);
}

export interface ContextOptions {
  /** Tokens of the prompt that the recording does not hold. */
  readonly unseen: number;
  /** The parts of the recording, as the policy has not changed them. */
  readonly own: ReadonlySet<Part>;
  tokensOf(message: Message): number;
  /**
   * Tokens up to a message of the recording that no message explains: they stay if the policy drops the message.
   * Undefined for an added message.
   */
  unexplainedUpTo(message: Message): number | undefined;
}

/**
 * A context that changes from request to request. It keeps totals up to each message, so that unchanged messages are
 * not counted again.
 */
export function createContext({ unseen, own, tokensOf, unexplainedUpTo }: ContextOptions) {
  const messages: Message[] = [];
  const since: number[] = []; // the request that added each message
  const sums = [unseen];
  const unexplained = [0];
  let tail = 0; // unexplained tokens after the last message
  const calls = [0];
  const results = [0];
  const times = new Map<Message, number>(); // occurrences of each message in the context
  return {
    messages,
    sums,
    /**
     * The first message in which the next context differs: the old one, the new one, and the tokens that are sent
     * again. Undefined if the next context only adds messages.
     */
    breakAt(same: number, added: readonly Message[]) {
      if (same === messages.length) return undefined;
      const again = added.reduce((sum, message) => sum + (times.has(message) ? tokensOf(message) : 0), sums[same]!);
      return { old: messages[same], now: added[0], again };
    },
    /** `unexplainedTokens`: those of the whole prompt; the policy may have dropped the messages before them. */
    advance(same: number, added: readonly Message[], request: number, unexplainedTokens: number) {
      sums[messages.length]! -= tail;
      for (const message of messages.splice(same)) {
        const left = times.get(message)! - 1;
        if (left > 0) times.set(message, left);
        else times.delete(message);
      }
      for (const list of [sums, unexplained, calls, results]) list.length = same + 1;
      since.length = same;
      for (const message of added) {
        const at = messages.push(message) - 1;
        since.push(request);
        times.set(message, (times.get(message) ?? 0) + 1);
        unexplained.push(unexplainedUpTo(message) ?? unexplained[at]!);
        sums.push(sums[at]! + tokensOf(message) + unexplained[at + 1]! - unexplained[at]!);
        calls.push(calls[at]! + countParts(message.parts, isCall));
        results.push(results[at]! + countParts(message.parts, (part) => part.type === 'result' && own.has(part)));
      }
      tail = unexplainedTokens - unexplained.at(-1)!;
      sums[messages.length]! += tail;
    },
    /** The number of leading messages that have not changed since a request. */
    sameSince(request: number): number {
      let [low, high] = [0, since.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (since[middle]! > request) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    /** The results before a position that the policy has not changed. */
    resultsBefore: (position: number) => results[position]!,
    tally: () => ({ calls: calls.at(-1)!, results: results.at(-1)! }),
  };
}

export type SentContext = ReturnType<typeof createContext>;
