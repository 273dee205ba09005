/** The size of a transcript as one request, in tokens. */
import type { Message, Transcript } from '../transcript/types.js';
import type { Counts } from './transform.js';

/** The tokens that `stats` shows: messages, tool definitions, and the overhead of a request. */
export function requestTokens(transcript: Transcript, counts: Counts): number {
  return transcript.messages.reduce(
    (sum, message) => sum + counts.message(message),
    overheadTokens(transcript, counts),
  );
}

/** The tokens besides the messages. */
export function overheadTokens(transcript: Transcript, counts: Counts): number {
  return counts.perRequest + counts.definitions(transcript);
}

/** The tokens of what the agent sends beside messages. */
export function besideTokens({ messages }: Pick<Transcript, 'messages'>, counts: Counts): number {
  return counts.attached === undefined
    ? 0
    : messages.reduce((sum, message) => sum + attachedTokens(message, counts), 0);
}

export function attachedTokens(message: Message, counts: Counts): number {
  return message.role === 'meta' ? (counts.attached?.(message) ?? 0) : 0;
}
