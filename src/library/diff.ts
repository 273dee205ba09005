/** `diff`: what is different in two recordings, as `ctx-trim diff --format json` prints it. */

import { diffDocument } from '../documents/diff.js';
import { plain } from '../documents/print.js';
import type { DiffReport } from '../documents/types.js';
import { diffPairs, type Placed } from '../engine/diff/diff.js';
import type { FileUnread } from '../omissions.js';
import type { DetectOptions } from '../source/detect/detection.js';
import { OPENING, rejectWrongOptions } from './arguments.js';
import { loadContext, PRICING, type PriceOptions } from './context.js';
import { type Input, readInput } from './input.js';

export interface DiffOptions extends DetectOptions, PriceOptions {}

/** Throws TranscriptError (rejects) for a wrong option and for an input that cannot be read. */
export async function diff(before: Input, after: Input, options: DiffOptions = {}): Promise<DiffReport> {
  rejectWrongOptions(options, { ...OPENING, ...PRICING });
  const [left, right] = [placedIn(before, 'before', options), placedIn(after, 'after', options)];
  const pairs = [...diffPairs(left.placed, right.placed, await loadContext(options))];
  const omissions = { unread: [...left.unread, ...right.unread], badLines: [] };
  const differences = pairs.map(({ difference }) => difference());
  return plain<DiffReport>(diffDocument(differences, omissions));
}

interface Side {
  readonly placed: Placed[];
  readonly unread: readonly FileUnread[];
}

function placedIn(input: Input, file: string, options: DetectOptions): Side {
  const { transcripts, omissions } = readInput(input, options);
  return {
    placed: transcripts.map(({ transcript, piece }) => ({ transcript, file, line: piece.line })),
    unread: omissions().unread.map((unread) => ({ ...unread, file })),
  };
}
