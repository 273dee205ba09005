/** The messages that the requests of a thread send, with running totals. */
import type { Message, Part } from '../../transcript/types.js';

export const isCall = ({ type }: Part) => type === 'call';

/** The number of parts of a kind. */
export function countParts(parts: readonly Part[], isCounted: (part: Part) => boolean): number {
  return parts.reduce((sum, part) => sum + (isCounted(part) ? 1 : 0), 0);
}

/** Tokens of a recorded prompt up to a message: those of its messages, and the others; below 0 if it shrank. */
export interface Measured {
  readonly explained: number;
  readonly unexplained: number;
}

export interface ContextOptions {
  /** Tokens of the prompt that the recording does not hold. */
  readonly unseen: number;
  /** The parts of the recording, as the policy has not changed them. */
  readonly own: ReadonlySet<Part>;
  tokensOf(message: Message): number;
  /**
   * The recorded prompt up to a message: what no message explains stays if the policy drops the message. Undefined for
   * an added message.
   */
  measuredUpTo(message: Message): Measured | undefined;
}

/**
 * A context that changes from request to request. It keeps totals up to each message, so that unchanged messages are
 * not counted again.
 */
export function createContext({ unseen, own, tokensOf, measuredUpTo }: ContextOptions) {
  const messages: Message[] = [];
  const since: number[] = []; // the request that added each message
  const sums = [unseen];
  const explained = [unseen];
  const measured: Measured[] = [{ explained: unseen, unexplained: 0 }];
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
    /** `whole`: the recorded prompt; the policy may have dropped its last messages. */
    advance(same: number, added: readonly Message[], request: number, whole: Measured) {
      for (const message of messages.splice(same)) {
        const left = times.get(message)! - 1;
        if (left > 0) times.set(message, left);
        else times.delete(message);
      }
      for (const list of [sums, explained, measured, calls, results]) list.length = same + 1;
      since.length = same;
      for (const message of added) {
        const at = messages.push(message) - 1;
        since.push(request);
        times.set(message, (times.get(message) ?? 0) + 1);
        explained.push(explained[at]! + tokensOf(message));
        measured.push(measuredUpTo(message) ?? measured[at]!);
        sums.push(length(explained[at + 1]!, measured[at + 1]!, unseen));
        calls.push(calls[at]! + countParts(message.parts, isCall));
        results.push(results[at]! + countParts(message.parts, (part) => part.type === 'result' && own.has(part)));
      }
      sums[same] = length(explained[same]!, measured[same]!, unseen);
      sums[messages.length] = length(explained[messages.length]!, whole, unseen);
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

/**
 * The tokens of a prompt. If the recorded one shrank, it lost tokens of every message alike, and of what is in no
 * message only what its messages did not have.
 */
function length(explained: number, recorded: Measured, unseen: number): number {
  const { unexplained } = recorded;
  if (unexplained >= 0) return explained + unexplained;
  const held = Math.max(0, recorded.explained - unseen); // by messages of the recorded prompt
  const lost = Math.min(held, -unexplained);
  const share = Math.min(1, (explained - unseen) / Math.max(1, held));
  return Math.max(0, explained + unexplained + lost - Math.round(lost * share));
}

export type SentContext = ReturnType<typeof createContext>;
