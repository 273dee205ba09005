/** Calls that are dropped from a transcript that grows: what was sent before changes only when more of them go. */
import { addAll } from '../lists.js';
import { type CallSite, pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { leftOfEach, partsOfCalls } from './drop-calls.js';
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
  const output: Message[] = [];
  const sizes = [0]; // how many messages are sent of those before each index
  return (end) => {
    const { length } = output;
    const done = sizes.length - 1;
    const calls = going(end).flatMap(({ what }) => what);
    for (const part of partsOfCalls(calls)) dropped.add(part);
    const from = dropped.size === 0 ? done : startOfPieces(transcript, Math.min(done, first(calls)));
    const next = leftOfEach({ ...transcript, messages: messages.slice(from, end) }, dropped);
    const start = sizes[from]!;
    sizes.length = from + 1;
    for (const message of next) sizes.push(sizes.at(-1)! + (message === undefined ? 0 : 1));
    const sent = next.flatMap((message) => message ?? []).map(same);
    let kept = 0;
    while (kept < sent.length && start + kept < length && sent[kept] === output[start + kept]) kept++;
    output.length = start + kept;
    addAll(output, sent.slice(kept));
    return { same: start + kept, added: sent.slice(kept) };
  };
}

/** The first message that loses a call or a result. */
function first(calls: readonly CallSite[]): number {
  let index = Number.POSITIVE_INFINITY;
  for (const { message, results } of calls)
    for (const site of [{ message }, ...results]) index = Math.min(index, site.message);
  return index;
}

/** Where the pieces begin that a message is one of: what goes of a piece may take reasoning before it along. */
function startOfPieces({ messages, traits }: Transcript, index: number): number {
  let start = index;
  if (traits.piecesStandAlone)
    while (start > 0 && (messages[start - 1]!.role === 'assistant' || messages[start - 1]!.role === 'meta')) start--;
  return start;
}
