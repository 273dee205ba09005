/** Replaces call ids that cannot pair: empty ones, and ids used twice within a message. The result is deterministic. */
import { mapMessages, mapParts } from '../transcript/edit.js';
import type { Pairing } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';

export function repairIds(transcript: Transcript, { calls, results }: Pairing): Transcript {
  const used = new Set([...calls, ...results].flatMap(({ part }) => (part.callId ? [part.callId] : [])));
  const names = new Map<Part, string>();
  const numbers = new Map<string, number>();
  /** The first unused id of `base_2`, `base_3`, … */
  const unused = (base: string, first: number): string => {
    const baseKey = `${first}${base}`;
    let number = numbers.get(baseKey) ?? first; // lower numbers stay used
    while (used.has(`${base}_${number}`)) number++;
    numbers.set(baseKey, number);
    return `${base}_${number}`;
  };
  const unusedFor = (given: string | undefined) => (given === undefined ? unused('call', 1) : unused(given, 2));
  // ids of the calls so far, by message or by the group of its pieces
  const seen = new Map<number | string, Set<string>>();
  for (const call of calls) {
    const { part, message } = call;
    if (part.callId === undefined) continue; // a format whose calls have no ids
    const key = transcript.messages[message]!.group ?? message;
    const inMessage = seen.get(key) ?? new Set();
    seen.set(key, inMessage);
    const given = part.callId === '' ? firstId(call.results.map((result) => result.part.callId)) : part.callId;
    const id = given !== undefined && !inMessage.has(given) ? given : unusedFor(given);
    inMessage.add(id);
    used.add(id);
    if (id !== part.callId) names.set(part, id);
    for (const result of call.results)
      if (result.part.callId !== undefined && result.part.callId !== id) names.set(result.part, id);
  }
  return names.size === 0 ? transcript : withCallIds(transcript, names);
}

/** Replaces the ids of these calls and results. */
export function withCallIds(transcript: Transcript, ids: ReadonlyMap<Part, string>): Transcript {
  return mapMessages(transcript, (message) =>
    mapParts(message, (part) => {
      const callId = ids.get(part);
      return callId === undefined || (part.type !== 'call' && part.type !== 'result') ? part : { ...part, callId };
    }),
  );
}

function firstId(ids: readonly (string | undefined)[]): string | undefined {
  return ids.find((id) => id !== undefined && id !== '');
}
