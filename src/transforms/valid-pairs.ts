/** Calls and results that need no repair. */
import type { Pairing } from '../transcript/pairs.js';
import type { Transcript } from '../transcript/types.js';

/** Whether each call has its own id and one result in place, and no result is without a call. */
export function isValid({ messages }: Transcript, { calls, results }: Pairing): boolean {
  if (results.length !== calls.length) return false;
  let current: unknown; // the message, or the group of its pieces
  let first = 0; // the first call of this message
  const lasts = new Map<string, number>(); // the last call of each id
  return calls.every(({ part, message, results: [result] }, index) => {
    const here = messages[message]!.group ?? message;
    if (here !== current) [current, first] = [here, index];
    if (
      result === undefined ||
      result.standing !== 'in place' ||
      result.part.callId !== part.callId ||
      part.callId === ''
    )
      return false;
    if (part.callId === undefined) return true;
    const last = lasts.get(part.callId) ?? -1;
    lasts.set(part.callId, index);
    return last < first;
  });
}

/** Whether only other results stand between each result and the message of its call. */
export function answersFollow({ messages }: Transcript, { results }: Pairing): boolean {
  const before: number[] = []; // by message, the last one up to it that holds no results
  for (const [index, { role }] of messages.entries())
    before.push(role === 'tool' || role === 'meta' ? (before[index - 1] ?? -1) : index);
  return results.every(({ message, call }) => before[message] === call?.message);
}
