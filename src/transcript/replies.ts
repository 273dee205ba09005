/** The replies of the model in a transcript. */
import type { Message } from './types.js';

/** Messages from `start` to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The ranges of the model's messages; pieces of one message are one range. */
export function repliesIn(messages: readonly Message[]): readonly Span[] {
  const replies: { start: number; end: number }[] = [];
  let group: string | undefined;
  messages.forEach(({ role, group: own }, index) => {
    if (role !== 'assistant') return;
    const last = replies.at(-1);
    if (last !== undefined && own !== undefined && own === group) last.end = index + 1;
    else replies.push({ start: index, end: index + 1 });
    group = own;
  });
  return replies;
}
