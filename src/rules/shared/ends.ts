/** How a history begins and ends: a removed beginning, and a reply that was not sent back yet. */
import { withMessages } from '../../transcript/edit.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

const REMOVED_BEGINNING = '[earlier conversation removed]';

/** The index of the first message that is neither a log line nor the system prompt; -1 if there is none. */
export function firstSpoken({ messages }: Transcript): number {
  return messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
}

/** The index of the last message, not counting log lines that are no messages; -1 if there is none. */
export function lastMessage({ messages }: Transcript): number {
  return messages.findLastIndex(({ role }) => role !== 'meta');
}

/** Whether a message of the user can be added. */
export function canAddUser({ transcript }: Pick<RuleContext, 'transcript'>): boolean {
  return transcript.traits.holdsOnlyReplies !== true;
}

/** Adds a user message before the first message, which says that the beginning was removed. */
export function withOpening(transcript: Transcript): Transcript {
  const at = firstSpoken(transcript);
  return at < 0 ? transcript : withUserMessage(transcript, at, REMOVED_BEGINNING);
}

/** Adds a user message after the last message, before log lines at the end: the last of these may be cut off. */
export function withUserAtEnd(transcript: Transcript, text: string): Transcript {
  return withUserMessage(transcript, lastMessage(transcript) + 1, text);
}

function withUserMessage(transcript: Transcript, at: number, text: string): Transcript {
  const added: Message = { role: 'user', parts: [{ type: 'text', text }] };
  return withMessages(transcript, [...transcript.messages.slice(0, at), added, ...transcript.messages.slice(at)]);
}

/** Whether a recording holds only a reply, and the request is elsewhere. */
export function isOnlyReply({ messages, traits }: Transcript): boolean {
  return traits.endsOnReply === true && messages.every(({ role }) => role !== 'user');
}

/** Whether the message at this index is a reply that was never sent back. In a request everything is sent. */
export function isUnsentReply({ transcript, asRequest }: RuleContext, index: number): boolean {
  return !asRequest && transcript.traits.endsOnReply === true && index === lastMessage(transcript);
}

/**
 * The model's reply that a history ends with by accident. Undefined where it calls a tool, or where the recording ends
 * with a reply by design.
 */
export function endingReply(transcript: Transcript): { readonly index: number; readonly reply: Message } | undefined {
  const index = lastMessage(transcript);
  const reply = transcript.messages[index];
  if (reply?.role !== 'assistant' || transcript.traits.endsOnReply) return undefined;
  const pieces = reply.group === undefined ? [reply] : transcript.messages.filter(({ group }) => group === reply.group);
  return pieces.some(({ parts }) => parts.some(({ type }) => type === 'call' || type === 'result'))
    ? undefined
    : { index, reply };
}
