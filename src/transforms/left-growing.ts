/** Messages that lose parts in a transcript that grows: what was sent before changes only where more is lost. */
import { addAll } from '../lists.js';
import type { CallSite } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { leftOfEach, partsOfCalls } from './drop-calls.js';
import type { Going } from './pace.js';
import type { Grow } from './transform.js';

interface Loss {
  /** The first message of which less is left than before. */
  readonly from: number;
  /** By message, what is left of messages in a row, the first of which has this index. */
  left(some: Transcript, index: number): readonly (readonly Message[])[];
}

/** What is left of the first messages of a transcript, for more and more of them. */
export function growLeft(transcript: Transcript, lossUntil: (end: number) => Loss): Grow {
  const { messages } = transcript;
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
    const loss = lossUntil(end);
    const from = startOfPieces(transcript, Math.min(sizes.length - 1, loss.from));
    const next = loss.left({ ...transcript, messages: messages.slice(from, end) }, from);
    const start = sizes[from]!;
    sizes.length = from + 1;
    for (const ones of next) sizes.push(sizes.at(-1)! + ones.length);
    const sent = next.flatMap((ones) => ones.map(same));
    let kept = 0;
    while (kept < sent.length && start + kept < length && sent[kept] === output[start + kept]) kept++;
    output.length = start + kept;
    addAll(output, sent.slice(kept));
    return { same: start + kept, added: sent.slice(kept) };
  };
}

/** What is left of messages in a row, by message: without these parts. `index`: that of the first one. */
export type Left = (some: Transcript, removed: ReadonlySet<Part>, index: number) => readonly (readonly Message[])[];

const PLAIN: Left = (some, removed) => leftOfEach(some, removed).map((message) => (message ? [message] : []));

/** The same where calls go with their results. */
export function growDropped(transcript: Transcript, going: Going<readonly CallSite[]>, left: Left = PLAIN): Grow {
  const dropped = new Set<Part>();
  return growLeft(transcript, (end) => {
    const calls = going(end).flatMap(({ what }) => what);
    for (const part of partsOfCalls(calls)) dropped.add(part);
    return { from: firstOf(calls), left: (some, index) => left(some, dropped, index) };
  });
}

/** The first message that loses a call or a result. */
export function firstOf(calls: readonly CallSite[]): number {
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
