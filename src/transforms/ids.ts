/** Ids that cannot pair: empty ones, and ones used twice within a message. They are renamed on both sides, the same way every time. */
import { mapMessages, mapParts } from '../transcript/edit.js';
import type { Pairing } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';

export function repairIds(transcript: Transcript, { calls, results }: Pairing): Transcript {
  const used = new Set([...calls, ...results].flatMap(({ part }) => (part.callId ? [part.callId] : [])));
  const names = new Map<Part, string>();
  const numbers = new Map<string, number>();
  /** `base_2`, `base_3`, …: the first that nothing in the transcript is called. */
  const unused = (base: string, first: number): string => {
    const key = `${first}${base}`;
    let number = numbers.get(key) ?? first; // what was used stays used
    while (used.has(`${base}_${number}`)) number++;
    numbers.set(key, number);
    return `${base}_${number}`;
  };
  const seen = new Map<number | string, Set<string>>(); // the ids of each message's calls so far, whatever its pieces
  for (const call of calls) {
    const { part, message } = call;
    if (part.callId === undefined) continue; // a kind of call that has no ids
    const home = transcript.messages[message]!.group ?? message;
    const inMessage = seen.get(home) ?? new Set();
    seen.set(home, inMessage);
    const given = part.callId === '' ? idOfResult(call.results.map((result) => result.part.callId)) : part.callId;
    const id = given === undefined ? unused('call', 1) : inMessage.has(given) ? unused(given, 2) : given;
    inMessage.add(id);
    used.add(id);
    if (id !== part.callId) names.set(part, id);
    for (const result of call.results)
      if (result.part.callId !== undefined && result.part.callId !== id) names.set(result.part, id);
  }
  return names.size === 0 ? transcript : withCallIds(transcript, names);
}

/** The transcript with these ids in these calls and results. */
export function withCallIds(transcript: Transcript, ids: ReadonlyMap<Part, string>): Transcript {
  return mapMessages(transcript, (message) =>
    mapParts(message, (part) => {
      const callId = ids.get(part);
      return callId === undefined || (part.type !== 'call' && part.type !== 'result') ? part : { ...part, callId };
    }),
  );
}

/** The id that a call's first result gives, where the call has none. */
function idOfResult(ids: readonly (string | undefined)[]): string | undefined {
  return ids.find((id) => id !== undefined && id !== '');
}
