/** Requests of a session that its agent keeps in another file, for figures of the session. */
import type { UsageFile } from '../../formats/agent.js';
import { formatNamed } from '../../formats/index.js';
import { parse } from '../../json/node.js';
import { open } from '../../source/recording.js';
import { withMessages } from '../../transcript/edit.js';
import type { Recorded, Transcript } from '../../transcript/types.js';

/**
 * The requests in a file of usage. Throws TranscriptError or SyntaxError where it is not of the format. `file`: some
 * agents number their requests in each file anew.
 */
export function requestsIn(bytes: Buffer, { format, isRow }: UsageFile, file: string): readonly Recorded[] {
  const requests = isRow ? [formatNamed(format).recorded?.(parse(bytes)) ?? {}] : requestsOfLog(bytes, format);
  return requests
    .filter(hasUsage)
    .map(({ requestId, ...request }) =>
      requestId === undefined ? request : { ...request, requestId: `${file} ${requestId}` },
    );
}

function requestsOfLog(bytes: Buffer, format: string): Recorded[] {
  return open(bytes, { from: format }).transcripts.flatMap(({ messages, model, recorded, others = [] }) =>
    [...messages.flatMap((message) => recorded?.(message) ?? []), ...others].map((request) => ({
      ...request,
      model: request.model ?? model,
    })),
  );
}

function hasUsage({ usage, cost, running }: Recorded): boolean {
  return (usage ?? cost ?? running) !== undefined;
}

/** The session with what stands in the file: its requests, and which of its messages are no longer sent. */
export function withBeside(transcript: Transcript, bytes: Buffer, kind: UsageFile, file: string): Transcript {
  const messages = kind.sent?.(transcript.messages, parse(bytes));
  return withRequests(messages ? withMessages(transcript, messages) : transcript, requestsIn(bytes, kind, file));
}

/** The session with these requests, unless it has some of its own. None of them is that of a certain message. */
export function withRequests(transcript: Transcript, requests: readonly Recorded[]): Transcript {
  const { messages, recorded } = transcript;
  const own = messages.flatMap((message) => recorded?.(message) ?? []);
  if (requests.length === 0 || own.some(hasUsage)) return transcript;
  const time = own.findLast((record) => record.time !== undefined)?.time;
  return { ...transcript, others: requests.map((request) => ({ time, ...request })) };
}
