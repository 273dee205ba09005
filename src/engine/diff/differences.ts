/** What is different in two inputs. */

import type { TranscriptDifference } from '../../measure/stats/differences.js';
import type { FileUnread, Omissions } from '../../omissions.js';
import { OPENING, rejectWrongOptions } from '../../options/arguments.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import { type Input, readInput } from '../input.js';
import { loadContext, PRICING, type PriceOptions } from '../settings.js';
import { type Placed, recordOf } from './beside.js';
import { diffPairs } from './diff.js';

export interface DiffOptions extends DetectOptions, PriceOptions {}

export interface Differences {
  readonly differences: readonly TranscriptDifference[];
  readonly omissions: Omissions;
}

/** Throws TranscriptError (rejects) for a wrong option and for an input that cannot be read. */
export async function differencesIn(before: Input, after: Input, options: DiffOptions): Promise<Differences> {
  rejectWrongOptions(options, { ...OPENING, ...PRICING });
  const [left, right] = [placedIn(before, 'before', options), placedIn(after, 'after', options)];
  const pairs = [...diffPairs(left.placed, right.placed, await loadContext(options))];
  const omissions = { unread: [...left.unread, ...right.unread], badLines: [] };
  return { differences: pairs.map(({ difference }) => difference()), omissions };
}

interface Side {
  readonly placed: Placed[];
  readonly unread: readonly FileUnread[];
}

function placedIn(input: Input, file: string, options: DetectOptions): Side {
  const { transcripts, omissions } = readInput(input, options);
  return {
    placed: transcripts.map(({ transcript, piece }) => ({
      transcript,
      file,
      line: piece.line,
      record: recordOf(transcript, piece),
    })),
    unread: omissions().unread.map((unread) => ({ ...unread, file })),
  };
}
