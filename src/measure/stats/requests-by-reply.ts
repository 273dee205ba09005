/** Which reply of a transcript each recorded request got. */
import { repliesIn, type Span } from '../../transcript/replies.js';
import type { Message } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { RequestRecord } from './request.js';

/**
 * The requests by the index of the first message of their reply; by the number of messages if the reply is not among
 * them. Of several with one reply it is the most complete. Requests without a prompt, sums of several requests and
 * requests without a reply are left out.
 */
export function requestsByReply<R extends RequestRecord>(
  messages: readonly Message[],
  records: readonly R[],
): Map<number, R> {
  const found = new Map<number, R>();
  const replies = repliesIn(messages);
  for (const record of records) {
    const { index, usage, requests, isUnanswered } = record;
    if (requests !== 1 || isUnanswered || promptTokens(usage) === 0) continue;
    const start = startOfReply({ messages, replies, found }, index);
    if (start !== undefined && (found.get(start)?.usage.output ?? -1) < usage.output) found.set(start, record);
  }
  return found;
}

interface Search {
  readonly messages: readonly Message[];
  readonly replies: readonly Span[];
  readonly found: ReadonlyMap<number, RequestRecord>;
}

/**
 * Usage is recorded in the reply, or on a line of its own: after the reply, maybe after results of its calls, or before
 * the reply.
 */
function startOfReply({ messages, replies, found }: Search, index: number): number | undefined {
  if (index >= messages.length) return messages.length;
  const next = firstAfter(replies, index);
  const last = replies[next - 1];
  if (last === undefined) return replies[next]?.start;
  const isBehind =
    messages[index]!.role !== 'meta' || followsReply(messages, index) || !hasRequest(messages, found, last.end);
  return isBehind ? last.start : replies[next]?.start;
}

/** Whether a request was found for the run of the model's messages that ends before `end`. */
function hasRequest(messages: readonly Message[], found: ReadonlyMap<number, unknown>, end: number): boolean {
  for (let at = end - 1; at >= 0; at--) {
    const { role } = messages[at]!;
    if (role !== 'assistant' && role !== 'meta') return false;
    if (found.has(at)) return true;
  }
  return false;
}

/** Whether only lines that are no messages separate a line from the reply before it. */
function followsReply(messages: readonly Message[], index: number): boolean {
  let before = index;
  while (before > 0 && messages[before - 1]!.role === 'meta') before--;
  return messages[before - 1]?.role === 'assistant';
}

/** The index of the first reply that begins after a message, by binary search. */
function firstAfter(replies: readonly Span[], message: number): number {
  let [low, high] = [0, replies.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (replies[middle]!.start > message) high = middle;
    else low = middle + 1;
  }
  return low;
}
