/** The size of a transcript as one request, in tokens. */
import type { Transcript } from '../transcript/types.js';
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
