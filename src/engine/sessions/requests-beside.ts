/** Requests of a session that its agent keeps in another file, for figures of the session. */
import { open } from '../../source/recording.js';
import type { Recorded, Transcript } from '../../transcript/types.js';

/**
 * The requests in a file of usage. Throws TranscriptError where it is not of the format. `file`: some agents number
 * their requests in each file anew.
 */
export function requestsIn(bytes: Uint8Array, format: string, file: string): readonly Recorded[] {
  return open(bytes, { from: format }).transcripts.flatMap(({ messages, model, recorded, others = [] }) =>
    [...messages.flatMap((message) => recorded?.(message) ?? []), ...others].filter(hasUsage).map((request) => ({
      ...request,
      model: request.model ?? model,
      ...(request.requestId === undefined ? {} : { requestId: `${file} ${request.requestId}` }),
    })),
  );
}

function hasUsage({ usage, cost, running }: Recorded): boolean {
  return (usage ?? cost ?? running) !== undefined;
}

/** The session with these requests, unless it has some of its own. None of them is that of a certain message. */
export function withRequests(transcript: Transcript, requests: readonly Recorded[]): Transcript {
  const { messages, recorded } = transcript;
  const own = messages.flatMap((message) => recorded?.(message) ?? []);
  if (requests.length === 0 || own.some(hasUsage)) return transcript;
  const time = own.findLast((record) => record.time !== undefined)?.time;
  return { ...transcript, others: requests.map((request) => ({ time, ...request })) };
}
