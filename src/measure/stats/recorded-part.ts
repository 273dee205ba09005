/** The recorded requests of one transcript: what `--recorded` needs of it, before prices, dates and groups. */
import { turns } from '../../transcript/turns.js';
import type { Transcript } from '../../transcript/types.js';
import { mergedRequests, type Pricing, type RequestList, type RequestRecord } from './request.js';
import { type Counted, isRecorded, recordedRequests, requestsOf } from './requests.js';
import { unstatedReplies } from './unstated.js';

export interface RecordedPart {
  readonly id: string | undefined;
  readonly format: string;
  readonly model: string | undefined;
  /** The sub-agent, if the recording has several agents. */
  readonly agent: string | undefined;
  /** The folder in which the agent worked, if it is recorded. */
  readonly project: string | undefined;
  /** The id or the file of the session that it was forked from. */
  readonly forkOf: string | undefined;
  /** Of the session, where rows need it. */
  readonly title?: string | undefined;
  /** The indices of the messages that begin a turn. */
  readonly turnStarts: readonly number[];
  /** Each once. */
  readonly requests: RequestList;
  /** The number of further records of these requests. */
  readonly duplicates: number;
  /** Replies that state no usage, though others do; absent if there are none. */
  readonly unstated?: number;
}

/** Undefined if no usage is recorded. */
export function recordedPart(transcript: Transcript, pricing: Pricing): RecordedPart | undefined {
  return partWith(transcript, recordedRequests(transcript, pricing));
}

/** The same of requests that are estimated; undefined if usage is recorded. */
export function estimatedPart(
  transcript: Transcript,
  pricing: Pricing,
  count: () => Counted,
): RecordedPart | undefined {
  return isRecorded(transcript, pricing) ? undefined : partWith(transcript, requestsOf(transcript, count(), pricing));
}

function partWith(transcript: Transcript, records: readonly RequestRecord[]): RecordedPart | undefined {
  if (records.length === 0) return undefined;
  const requests = mergedRequests(records);
  const duplicates = records.length - requests.length;
  const { id, format, model, agent, project, forkOf, messages } = transcript;
  const turnStarts = turns(messages).map(({ start }) => start);
  const unstated = transcript.traits.repliesStateUsage === true ? unstatedReplies(transcript, records) : 0;
  const part = { id, format, model, agent, project, forkOf, turnStarts, requests, duplicates };
  return unstated === 0 ? part : { ...part, unstated };
}
