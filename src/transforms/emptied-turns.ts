/** Turns of which all calls were dropped: `filter --drop-user` drops their user messages, too. */
import type { Turn } from '../transcript/turns.js';
import type { Message, Part, Transcript } from '../transcript/types.js';

/** The user's question that has to stay: a request has messages, and in some formats none begins with the assistant. */
export function openingOf({ messages, traits }: Transcript, left: Transcript): Message | undefined {
  const first = left.messages.find(({ role }) => role !== 'system' && role !== 'meta');
  const isMissed = traits.needsUser && !left.messages.some(({ role }) => role === 'user');
  if (first !== undefined && (first.role !== 'assistant' || !(traits.userBegins || isMissed))) return undefined;
  const end = first === undefined ? messages.length : messages.findIndex(({ raw }) => raw === first.raw);
  return messages.slice(0, end).findLast(({ role }) => role === 'user');
}

/** The user messages of turns that had calls and keep none. */
export function emptiedTurns(
  allTurns: readonly Turn[],
  messages: readonly Message[],
  removed: ReadonlySet<Part>,
): Set<Message> {
  const emptied = allTurns.filter(({ start, end }) => {
    const calls = messages.slice(start, end).flatMap((message) => message.parts.filter((part) => part.type === 'call'));
    return calls.length > 0 && calls.every((call) => removed.has(call));
  });
  // without its summary, an agent would go on from all that was compacted, or from nothing
  return new Set(emptied.filter(({ start }) => !isSummary(messages, start)).map(({ start }) => messages[start]!));
}

/** Whether a message is the summary of a compaction, which stands in it or right before it. */
export function isSummary(messages: readonly Message[], at: number): boolean {
  let before = at;
  while (messages[before]?.keeps === undefined && messages[before - 1]?.role === 'meta') before--;
  return messages[before]!.keeps !== undefined;
}
