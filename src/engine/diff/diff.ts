/** The differences of two recordings, transcript by transcript. */
import { alignMessages, alignTranscripts } from '../../measure/stats/align.js';
import { countings } from '../../measure/stats/counting.js';
import { differencesOf, type TranscriptDifference } from '../../measure/stats/differences.js';
import type { Transcript } from '../../transcript/types.js';
import { type Context, modelOf } from '../context.js';
import { type BesideDifferences, besideIn, type Placed } from './beside.js';

export interface PairDifference extends Pick<Placed, 'file' | 'line'>, BesideDifferences {
  /** All messages are. */
  readonly isSame: boolean;
  /** Computed when it is called. */
  difference(): TranscriptDifference;
}

/** Each transcript of one side with the one it belongs to on the other, if any. */
export function* diffPairs(
  before: readonly Placed[],
  after: readonly Placed[],
  context: Context,
): Generator<PairDifference> {
  const { tokenizer, prices } = context;
  const countingOf = countings(tokenizer);
  const places = new Map([...before, ...after].map((placed) => [placed.transcript, placed]));
  const pairs = alignTranscripts(
    before.map(({ transcript }) => transcript),
    after.map(({ transcript }) => transcript),
  );
  for (const { before: old, after: now } of pairs) {
    const known = (old ?? now)!;
    const isSameFormat = old === undefined || now === undefined || old.format === now.format;
    const changes = alignMessages(old?.messages ?? [], now?.messages ?? [], isSameFormat);
    const nothing: Transcript = { ...known, messages: [], tools: undefined };
    const { file, line } = places.get(known)!;
    const around = old === undefined || now === undefined ? NOTHING : besideIn(places.get(old)!, places.get(now)!);
    yield {
      file,
      line,
      ...around,
      isSame: changes.every(({ kind }) => kind === 'kept'),
      difference() {
        const counting = countingOf(modelOf(context, known.model));
        return differencesOf(old ?? nothing, now ?? nothing, { file, line }, { counting, prices, changes, ...around });
      },
    };
  }
}

const NOTHING: BesideDifferences = { beside: [], notCompared: [] };
