/** A transcript with the figures and findings of each message, for people to read. */
import type { Finding } from '../../findings.js';
import type { Attached } from '../../formats/attached.js';
import type { Carried } from '../../measure/stats/carried.js';
import type { MessageFacts, TranscriptFacts } from '../../measure/stats/facts.js';
import { groupBy } from '../../measure/stats/groups.js';
import type { RequestFacts } from '../../measure/stats/request.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';

export interface ShownMessage {
  readonly index: number;
  readonly message: Message;
  /** Of a record whose words the agent sends beside messages, which are its parts here: its kind. */
  readonly attachment?: string;
  /** Undefined for a record, which is no message. */
  readonly facts: MessageFacts | undefined;
  /** The request whose reply it is. */
  readonly request: RequestFacts | undefined;
  /** Its results in later requests, if it has any. */
  readonly carried: readonly Carried[];
  readonly findings: readonly Finding[];
}

export interface ShownTranscript {
  readonly facts: TranscriptFacts;
  readonly requests: readonly RequestFacts[];
  /** How many messages it has, records left out. */
  readonly count: number;
  readonly messages: readonly ShownMessage[];
  /** Those of no single message. */
  readonly findings: readonly Finding[];
}

export interface Figures {
  readonly transcript: Transcript;
  readonly facts: TranscriptFacts;
  readonly requests: readonly RequestFacts[];
  readonly carried: readonly Carried[];
  /** Those of the transcript. */
  readonly findings: readonly Finding[];
}

/** `isChosen`: which messages are shown. */
export function shownOf(
  { transcript, facts, requests, carried, findings }: Figures,
  isChosen: (shown: ShownMessage) => boolean,
): ShownTranscript {
  const factsAt = new Map(facts.messages.map((message) => [message.index, message]));
  const requestAt = new Map(requests.map((request) => [request.index, request]));
  const carriedAt = groupBy(carried, ({ index }) => index);
  const findingsAt = groupBy(findings, ({ index }) => index);
  const messages = transcript.messages.map(
    (message, index): ShownMessage => ({
      index,
      message,
      facts: factsAt.get(index),
      request: requestAt.get(index),
      carried: carriedAt.get(index) ?? [],
      findings: findingsAt.get(index) ?? [],
    }),
  );
  return {
    facts,
    requests,
    count: facts.totals.messages,
    messages: messages.filter(isChosen),
    findings: findingsAt.get(undefined) ?? [],
  };
}

/** With the words of records, of those that have some to send. */
export function withAttached(shown: ShownTranscript, attached: ReadonlyMap<number, Attached>): ShownTranscript {
  if (attached.size === 0) return shown;
  const messages = shown.messages.map((one): ShownMessage => {
    const found = attached.get(one.index);
    if (found === undefined) return one;
    const parts = found.texts.map((text): Part => ({ type: 'text', text, raw: text }));
    return { ...one, attachment: found.kind, message: { ...one.message, parts } };
  });
  return { ...shown, messages };
}
