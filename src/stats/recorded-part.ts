/** The recorded requests of one transcript: what `--recorded` needs of it, before prices, dates and groups. */
import { turns } from '../transcript/turns.js';
import type { Transcript } from '../transcript/types.js';
import type { Pricing, RequestRecord } from './request.js';
import { recordedRequests } from './requests.js';

export interface RecordedPart {
  readonly id: string | undefined;
  readonly format: string;
  readonly model: string | undefined;
  /** The sub-agent, if the recording has several agents. */
  readonly agent: string | undefined;
  /** The folder in which the agent worked, if it is recorded. */
  readonly project: string | undefined;
  /** The indices of the messages that begin a turn. */
  readonly turnStarts: readonly number[];
  readonly requests: readonly RequestRecord[];
}

/** Undefined if no usage is recorded. */
export function recordedPart(transcript: Transcript, pricing: Pricing): RecordedPart | undefined {
  const requests = recordedRequests(transcript, pricing);
  if (requests.length === 0) return undefined;
  const { id, format, model, agent, project, messages } = transcript;
  return { id, format, model, agent, project, turnStarts: turns(messages).map(({ start }) => start), requests };
}
