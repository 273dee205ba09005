/** Calls that are dropped from a transcript that grows: what was sent before changes only when more of them go. */
import { addAll } from '../lists.js';
import { type CallSite, pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { partsOfCalls, withoutParts } from './drop-calls.js';
import { type FilterOptions, goesAsItGrows, goingIn } from './filter.js';
import type { Going } from './pace.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. */
export function growFiltered(
  transcript: Transcript,
  options: FilterOptions,
  _counts: Counts,
  carries: boolean,
): Grow | undefined {
  const pairing = pair(transcript.messages);
  if (carries || !goesAsItGrows(transcript, options) || !pairsAsItGrows(pairing)) return undefined;
  return growDropped(transcript, goingIn(transcript, pairing, options));
}

function growDropped(transcript: Transcript, going: Going<readonly CallSite[]>): Grow {
  const { messages } = transcript;
  const dropped = new Set<Part>();
  const known = new Map<unknown, Message>(); // by value: a message that lost parts is the same object each time
  const same = (message: Message) => {
    const before = known.get(message.raw);
    const isSame =
      before?.parts.length === message.parts.length && before.parts.every((part, at) => part === message.parts[at]);
    if (!isSame) known.set(message.raw, message);
    return isSame ? before : message;
  };
  let output: Message[] = [];
  let done = 0;
  return (end) => {
    const units = going(end);
    const length = output.length;
    if (units.length === 0) addAll(output, messages.slice(done, end));
    done = end;
    if (units.length === 0) return { same: length, added: output.slice(length) };
    for (const part of partsOfCalls(units.flatMap(({ what }) => what))) dropped.add(part);
    const next = withoutParts({ ...transcript, messages: messages.slice(0, end) }, dropped).messages.map(same);
    let kept = 0;
    while (kept < length && next[kept] === output[kept]) kept++;
    output = next;
    return { same: kept, added: next.slice(kept) };
  };
}
