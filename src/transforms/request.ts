/** How large a transcript is as one request. */
import type { Transcript } from '../transcript/types.js';
import type { Counts } from './transform.js';

/** The tokens that `stats` shows for the transcript: its messages, its tool definitions, and what every request has. */
export function requestTokens(transcript: Transcript, counts: Counts): number {
  return transcript.messages.reduce(
    (sum, message) => sum + counts.message(message),
    overheadTokens(transcript, counts),
  );
}

/** What of them does not stand in messages. */
export function overheadTokens(transcript: Transcript, counts: Counts): number {
  return counts.perRequest + counts.definitions(transcript);
}
