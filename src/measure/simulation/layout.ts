/**
 * Maps positions of recorded prompts to the prompts that a policy leaves, so that a replay starts with a cache as warm
 * as the recorded one and misses where the recording missed.
 */

import { onceFor } from '../../once.js';
import { originOf } from '../../transcript/compare.js';
import type { Message, Transcript, Usage } from '../../transcript/types.js';
import type { RequestSite, Requests } from './requests.js';
import type { Measured } from './sent-context.js';

/** The messages that a replayed request sends, with the tokens before each and after the last. */
interface Sent {
  readonly messages: readonly Message[];
  readonly sums: readonly number[];
}

/** Where the messages of a recording are in its prompts. */
export interface Layout {
  /** The index of the recorded message that a message comes from; undefined if a step added it. */
  indexOf(message: Message): number | undefined;
  /** The prompt of a thread up to the message of this index. */
  measuredUpTo(index: number, of: Pick<RequestSite, 'thread' | 'start' | 'head'>): Measured;
  /** The position in a prompt of the first message that comes from this recorded message or a later one. */
  positionOf(index: number, sent: readonly Message[]): number;
  /**
   * The recorded cache read of a request as a number of tokens of the prompt that a policy leaves: up to the same
   * message.
   */
  readOf(request: RequestSite, recorded: Usage, sent: Sent): number;
}

export function layoutOf({ messages }: Transcript, { unseen, unexplained, tokensOf }: Requests): Layout {
  const explainedBefore = runningSums(messages.map((message) => (message.role === 'meta' ? 0 : tokensOf(message))));
  const unexplainedBefore = runningSums(unexplained);
  const indexes = new Map(messages.map((message, index) => [originOf(message) ?? message, index]));
  const indexOf = (message: Message) => indexes.get(originOf(message) ?? message);
  const tokensBefore = (index: number) => explainedBefore[index]! + unexplainedBefore[index]!;
  const headSums = onceFor((head: readonly number[]) =>
    runningSums(head.map((index) => explainedBefore[index + 1]! - explainedBefore[index]!)),
  );
  const headUpTo = (head: readonly number[], index: number) =>
    head.length === 0 ? 0 : headSums(head)[firstIndex(0, head.length, (at) => head[at]! > index)]!;
  /** An added message is at the place of the message before it. */
  const placeIn = (sent: readonly Message[], at: number): number => {
    for (let position = at; position >= 0; position--) {
      const index = indexOf(sent[position]!);
      if (index !== undefined) return index;
    }
    return -1;
  };
  const positionOf = (index: number, sent: readonly Message[]) =>
    firstIndex(0, sent.length, (at) => placeIn(sent, at) >= index);
  return {
    indexOf,
    positionOf,
    measuredUpTo(index, { thread, start, head = NONE }) {
      const base = unseen[thread]! + headUpTo(head, index);
      if (index < start - 1) return { explained: base, unexplained: 0 };
      return {
        explained: base + explainedBefore[index + 1]! - explainedBefore[start]!,
        unexplained: unexplainedBefore[index + 1]! - unexplainedBefore[start]!,
      };
    },
    readOf({ thread, start, head = NONE }, recorded, sent) {
      const read = recorded.cacheRead;
      const base = unseen[thread]! + headUpTo(head, start);
      if (read <= base) return read;
      const tokens = read - base + tokensBefore(start);
      const last = firstIndex(start, messages.length, (index) => tokensBefore(index + 1) >= tokens);
      const cut = positionOf(last, sent.messages);
      if (cut === sent.messages.length || placeIn(sent.messages, cut) > last) return sent.sums[cut]!;
      return Math.min(sent.sums[cut + 1]!, sent.sums[cut]! + Math.max(0, tokens - tokensBefore(last)));
    },
  };
}

const NONE: readonly number[] = [];

/** `[0, a, a + b, …]` */
function runningSums(numbers: readonly number[]): number[] {
  const sums = [0];
  for (const number of numbers) sums.push(sums.at(-1)! + number);
  return sums;
}

/** The first index from `low` on (exclusive end `high`) that fulfills a condition that later ones fulfill too. */
function firstIndex(low: number, high: number, fulfills: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fulfills(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
