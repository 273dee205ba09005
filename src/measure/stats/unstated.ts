/** Replies that state no usage, in sessions whose other replies do: what was paid is more than the figures say. */
import type { Transcript } from '../../transcript/types.js';
import type { Totals } from './facts.js';
import type { RequestRecord } from './request.js';

/**
 * The totals with how many there are, if there are any. For formats whose replies state usage; `requests`: all records,
 * before they are merged.
 */
export function withUnstated(totals: Totals, transcript: Transcript, requests: readonly RequestRecord[]): Totals {
  const unstated = unstatedReplies(transcript, requests);
  return unstated === 0 ? totals : { ...totals, unstated };
}

/** Pieces of one reply are one. */
export function unstatedReplies(transcript: Transcript, requests: readonly RequestRecord[]): number {
  const { messages } = transcript;
  const stated = new Set<number | string>();
  for (const { index, recordedCost, tokensSource } of requests)
    if (tokensSource === 'recorded' || recordedCost !== undefined) stated.add(messages[index]?.group ?? index);
  if (stated.size === 0) return 0;
  const unstated = new Set<number | string>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || stated.has(message.group ?? index)) continue;
    if (transcript.recorded?.(message)?.failed !== true) unstated.add(message.group ?? index);
  }
  return unstated.size;
}
