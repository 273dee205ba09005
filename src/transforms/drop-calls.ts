/** Drops calls with their results. */
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../transcript/edit.js';
import type { CallSite } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';

/** The parts of calls and of their results. */
export function partsOfCalls(calls: readonly CallSite[]): Set<Part> {
  const parts = new Set<Part>();
  for (const { part, results } of calls) {
    parts.add(part);
    for (const result of results) parts.add(result.part);
  }
  return parts;
}

/**
 * Drops parts, and messages that have no content without them; text stays. Drops the reasoning that led to dropped
 * calls only where each piece of a message has its own record, and `messages` whatever they hold.
 */
export function withoutParts(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  messages?: ReadonlySet<Message>,
): Transcript {
  const left = leftOfEach(transcript, removed, messages).filter((message) => message !== undefined);
  return withMessages(transcript, left);
}

/** By message, what `withoutParts` leaves of it. */
export function leftOfEach(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  messages?: ReadonlySet<Message>,
): (Message | undefined)[] {
  const left = transcript.messages.map((message) =>
    messages?.has(message) ? undefined : withoutPartsOf(message, removed),
  );
  if (!transcript.traits.piecesStandAlone) return left;
  const all = left.filter((message) => message !== undefined);
  const tied = new Set(withoutLooseThoughts(transcript.messages, all));
  return tied.size === all.length ? left : left.map((message) => (message && tied.has(message) ? message : undefined));
}
