/** How a history begins and ends: with what was said, with a beginning that was cut off, with a reply that nobody has sent back yet. */
import { withMessages } from '../../transcript/edit.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';

const EARLIER = '[earlier conversation removed]';

/** The index of the first message that is neither a record nor the system prompt; -1 where there is none. */
export function firstSpoken({ messages }: Transcript): number {
  return messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
}

/** Where the last message stands, lines of a log that are none apart; -1 where there is none. */
export function lastMessage({ messages }: Transcript): number {
  return messages.findLastIndex(({ role }) => role !== 'meta');
}

/** The transcript with a message of the user's before its first, which says that something stood there. */
export function withOpening(transcript: Transcript): Transcript {
  const at = firstSpoken(transcript);
  return at < 0 ? transcript : withUsers(transcript, at, EARLIER);
}

/** The transcript in which the user says this behind the message that it ends with: lines of a log may follow, the last of them cut off. */
export function withUsersEnd(transcript: Transcript, text: string): Transcript {
  return withUsers(transcript, lastMessage(transcript) + 1, text);
}

function withUsers(transcript: Transcript, at: number, text: string): Transcript {
  const said: Message = { role: 'user', parts: [{ type: 'text', text }] };
  return withMessages(transcript, [...transcript.messages.slice(0, at), said, ...transcript.messages.slice(at)]);
}

/** Whether a recording holds nothing but a reply: what it replied to stands elsewhere. */
export function isOnlyReply({ messages, traits }: Transcript): boolean {
  return traits.endsOnReply === true && messages.every(({ role }) => role !== 'user');
}

/** Whether this message, by index, was written by the model and never sent. In a request everything is. */
export function isUnsentReply({ transcript, asRequest }: RuleContext, index: number): boolean {
  return !asRequest && transcript.traits.endsOnReply === true && index === lastMessage(transcript);
}

/** The model's own last words, where a history ends with them by accident: nothing is called, and the recording could go on. */
export function endingReply(transcript: Transcript): { readonly index: number; readonly reply: Message } | undefined {
  const index = lastMessage(transcript);
  const reply = transcript.messages[index];
  if (reply?.role !== 'assistant' || transcript.traits.endsOnReply) return undefined;
  const pieces = reply.group === undefined ? [reply] : transcript.messages.filter(({ group }) => group === reply.group);
  return pieces.some(({ parts }) => parts.some(({ type }) => type === 'call' || type === 'result'))
    ? undefined
    : { index, reply };
}
