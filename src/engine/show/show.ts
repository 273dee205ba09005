/** The transcripts of a file as people read them: each message with its tokens, its cost and who carried it. */
import type { Finding } from '../../findings.js';
import { attachedIn } from '../../formats/attachments.js';
import { groupBy } from '../../measure/stats/groups.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import type { Check } from '../check/check.js';
import type { Context } from '../context.js';
import { ALL_FIGURES, createStats } from '../stats/stats.js';
import type { Address } from './address.js';
import { type Chosen, chosenBy, type Filters, isEmpty, passes } from './selection.js';
import { type ShownMessage, type ShownTranscript, shownOf, withAttached } from './shown.js';

export type { ShownMessage, ShownTranscript } from './shown.js';

export interface ShowSettings {
  readonly context: Context;
  /** Empty for all messages. */
  readonly addresses: readonly Address[];
  readonly filters: Filters;
  /** Shows abandoned branches, and nothing else. */
  readonly branches: boolean;
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
  /** Abandoned branches that were left out. */
  readonly branches: number;
  /** Addresses that named nothing. */
  readonly missing: readonly Address[];
}

/** Findings by the index of their transcript. */
type Found = ReadonlyMap<number | undefined, readonly Finding[]>;

export function createShow(file: string, settings: ShowSettings): Show {
  const { context, addresses, filters, branches, check } = settings;
  const waiting: { readonly transcript: Transcript; readonly chosen: Chosen | undefined; readonly at: number }[] = [];
  const ready: ShownTranscript[] = [];
  const missing = new Set(addresses);
  const examine = check?.examining(file);
  const unchecked: ((found: Found) => ShownTranscript)[] = []; // findings are known at the end
  const isWhole = addresses.length === 0 && isEmpty(filters);
  let transcripts = 0;
  let leftOut = 0;
  const stats = createStats({
    ...ALL_FIGURES,
    context,
    settled(facts, requests, carried) {
      const { transcript, chosen, at } = waiting.shift()!;
      if (chosen === undefined) return;
      const figures = { transcript, facts, requests, carried };
      const isChosen = ({ index, message, facts: own, findings }: ShownMessage) =>
        chosen(index) && passes(message, own?.tools ?? [], filters) && (check === undefined || findings.length > 0);
      const shownWith = (own: readonly Finding[]) => {
        const shown = shownOf({ ...figures, findings: isWhole ? own : own.filter(isOfMessage) }, isChosen);
        return filters.roles.includes('meta') ? withAttached(shown, attachedIn(transcript)) : shown;
      };
      if (check === undefined) ready.push(shownWith([]));
      else
        unchecked.push((found) =>
          shownWith([...(at === 0 ? (found.get(undefined) ?? []) : []), ...(found.get(at) ?? [])]),
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
      const found = groupBy(check?.findings() ?? [], ({ transcript }) => transcript?.index);
      const shown = [...ready, ...unchecked.map((finished) => finished(found))];
      return { shown: shown.filter(isShown), transcripts, branches: leftOut, missing: [...missing] };
    },
  };

  function chosenIn(transcript: Transcript, piece: Opened, at: number): Chosen | undefined {
    const isBranch = transcript.abandoned !== undefined;
    if (addresses.length === 0) {
      if (isBranch === branches) return () => true;
      if (isBranch) leftOut++;
      return undefined;
    }
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
const isShown = ({ messages, findings }: ShownTranscript) => messages.length + findings.length > 0;
const isOfMessage = ({ index }: Finding) => index !== undefined;
