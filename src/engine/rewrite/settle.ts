/**
 * Applies steps until they change nothing more. In a trace, another conversation can be the longest one after the first
 * was shortened.
 */

import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';

/** A piece, and what its transcripts are to become. */
export interface Settled {
  readonly piece: Opened;
  readonly after: readonly Transcript[];
}

/** A trace holds no more conversations, one longer than the next, that are worth going through. */
const ROUNDS = 16;

/** Applies steps to a piece, reads the result again, and repeats until nothing changes. `round` counts from 0. */
export function settle(piece: Opened, apply: (piece: Opened, round: number) => readonly Transcript[]): Settled {
  let now: Settled = { piece, after: apply(piece, 0) };
  for (let round = 1; round < ROUNDS && isChanged(now); round++) {
    const next = now.piece.reopen?.(now.after);
    if (next === undefined) break;
    const after = apply(next, round);
    if (!isChanged({ piece: next, after })) break;
    now = { piece: next, after };
  }
  return now;
}

/** Whether there is anything to be written. */
export function isChanged({ piece, after }: Settled): boolean {
  return after.some((transcript, index) => transcript !== piece.transcripts[index]);
}
