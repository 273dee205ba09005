/** The differences of two recordings, transcript by transcript. */
import { alignMessages, alignTranscripts } from '../../measure/stats/align.js';
import { countings } from '../../measure/stats/counting.js';
import { differencesOf, type TranscriptDifference } from '../../measure/stats/differences.js';
import { textOf } from '../../transcript/text.js';
import type { Transcript } from '../../transcript/types.js';
import { type Context, modelOf } from '../context.js';

export interface Placed {
  readonly transcript: Transcript;
  readonly file: string;
  readonly line: number;
}

export interface PairDifference extends Pick<Placed, 'file' | 'line'> {
  /** All messages are. */
  readonly isSame: boolean;
  /** What is not the same beside the messages. */
  readonly beside: readonly string[];
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
    const changes = alignMessages(old?.messages ?? [], now?.messages ?? []);
    const nothing: Transcript = { ...known, messages: [], tools: undefined };
    const { file, line } = places.get(known)!;
    yield {
      file,
      line,
      beside: old === undefined || now === undefined ? [] : besideIn(old, now),
      isSame: changes.every(({ kind }) => kind === 'kept'),
      difference() {
        const counting = countingOf(modelOf(context, known.model));
        return differencesOf(old ?? nothing, now ?? nothing, { file, line }, { counting, prices, changes });
      },
    };
  }
}

function besideIn(old: Transcript, now: Transcript): string[] {
  const toolsIn = ({ tools }: Transcript) => (tools === undefined ? '' : JSON.stringify(JSON.parse(textOf(tools))));
  return [
    ...(old.model === now.model ? [] : ['model']),
    ...(toolsIn(old) === toolsIn(now) ? [] : ['tool definitions']),
  ];
}
