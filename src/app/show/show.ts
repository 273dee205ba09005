/** The transcripts of a file as people read them: each message with its tokens, its cost and who carried it. */
import type { Finding } from '../../findings.js';
import type { Opened } from '../../source/piece.js';
import type { Carried } from '../../stats/carried.js';
import type { MessageFacts, TranscriptFacts } from '../../stats/facts.js';
import { groupBy } from '../../stats/groups.js';
import type { RequestFacts } from '../../stats/request.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { Check } from '../check/check.js';
import type { Context } from '../context.js';
import { createStats } from '../stats/stats.js';
import type { Address } from './address.js';
import { type Chosen, chosenBy, type Filters, passes } from './selection.js';

export interface ShownMessage {
  readonly index: number;
  readonly message: Message;
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
}

export interface ShowSettings {
  readonly context: Context;
  /** Empty for all messages. */
  readonly addresses: readonly Address[];
  readonly filters: Filters;
  /** Shows only messages with findings, with these. */
  readonly check: Check | undefined;
}

export interface Show {
  /** Returns what can be shown by now: a request is final once no later record can change it. */
  add(transcript: Transcript, piece: Opened): readonly ShownTranscript[];
  close(): ShowResult;
}

export interface ShowResult {
  readonly shown: readonly ShownTranscript[];
  /** The transcripts of the file. */
  readonly transcripts: number;
  /** Addresses that named nothing. */
  readonly missing: readonly Address[];
}

export function createShow(file: string, { context, addresses, filters, check }: ShowSettings): Show {
  const waiting: { readonly transcript: Transcript; readonly chosen: Chosen | undefined; readonly at: number }[] = [];
  const ready: ShownTranscript[] = [];
  const missing = new Set(addresses);
  const examine = check?.examining(file);
  const unchecked: ((findings: readonly Finding[]) => ShownTranscript)[] = []; // findings are known at the end
  let transcripts = 0;
  const stats = createStats({
    ...ALL_FIGURES,
    context,
    settled(facts, requests, carried) {
      const { transcript, chosen, at } = waiting.shift()!;
      if (chosen === undefined) return;
      const figures = { transcript, facts, requests, carried, chosen, filters };
      if (check === undefined) ready.push(shownOf(figures, undefined));
      else
        unchecked.push((findings) =>
          shownOf(
            figures,
            findings.filter((finding) => finding.transcript?.index === at),
          ),
        );
    },
  });
  return {
    add(transcript, piece) {
      const at = transcripts++;
      waiting.push({ transcript, chosen: chosenIn(transcript, piece, at), at });
      examine?.(transcript, piece);
      stats.add(transcript, { file, line: piece.line });
      return ready.splice(0).filter(isShown);
    },
    close() {
      stats.close();
      const findings = check?.findings() ?? [];
      const shown = [...ready, ...unchecked.map((finished) => finished(findings))];
      return { shown: shown.filter(isShown), transcripts, missing: [...missing] };
    },
  };

  function chosenIn(transcript: Transcript, piece: Opened, at: number): Chosen | undefined {
    if (addresses.length === 0) return () => true;
    const found = addresses.flatMap((address) => {
      const isSettled = address.line === undefined && address.agent === undefined && at > 0;
      const chosen = isSettled ? undefined : chosenBy(address, transcript, piece);
      if (chosen !== undefined) missing.delete(address);
      return chosen ?? [];
    });
    return found.length === 0 ? undefined : (index) => found.some((chosen) => chosen(index));
  }
}

/** Not if the filters leave nothing of it. */
const isShown = ({ messages }: ShownTranscript) => messages.length > 0;

const ALL_FIGURES = {
  within: undefined,
  grouping: undefined,
  recorded: false,
  calibrates: false,
  carries: true,
  keepsMessages: true,
} as const;

interface Figures {
  readonly transcript: Transcript;
  readonly facts: TranscriptFacts;
  readonly requests: readonly RequestFacts[];
  readonly carried: readonly Carried[];
  readonly chosen: Chosen;
  readonly filters: Filters;
}

function shownOf(figures: Figures, findings: readonly Finding[] | undefined): ShownTranscript {
  const { transcript, facts, requests, carried, chosen, filters } = figures;
  const factsAt = new Map(facts.messages.map((message) => [message.index, message]));
  const requestAt = new Map(requests.map((request) => [request.index, request]));
  const carriedAt = groupBy(carried, ({ index }) => index);
  const findingsAt = groupBy(findings ?? [], ({ index }) => index);
  const messages = transcript.messages.flatMap((message, index): ShownMessage[] => {
    const own = factsAt.get(index);
    const found = findingsAt.get(index) ?? [];
    if (!chosen(index) || !passes(message, own?.tools ?? [], filters)) return [];
    if (findings !== undefined && found.length === 0) return [];
    return [
      {
        index,
        message,
        facts: own,
        request: requestAt.get(index),
        carried: carriedAt.get(index) ?? [],
        findings: found,
      },
    ];
  });
  return { facts, requests, count: facts.totals.messages, messages };
}
