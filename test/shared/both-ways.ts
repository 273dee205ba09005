/** What a step makes of a table, and what it makes of messages. */
import { expect } from 'vitest';
import { rewriteTable } from '../../src/engine/rewrite/tables/by-table.js';
import { describeError, isTranscriptError } from '../../src/errors.js';
import type { Sink } from '../../src/json/print.js';
import type { Opened, Piece } from '../../src/source/piece.js';
import { rewriteBy, type Step } from '../../src/transforms/pipeline.js';
import { CHARACTERS } from './rewrite-text.js';

/** What is written of pieces, and the error that ends it. `tabled`: how many of them went by their tables. */
export interface Saved {
  readonly output: string;
  readonly error: string | undefined;
  readonly tabled: number;
}

/** `note`: what to compare besides. */
export function saved(pieces: Iterable<Piece>, step: Step, note: (piece: Opened) => string = () => ''): Saved {
  const written: string[] = [];
  let tabled = 0;
  const sink: Sink = {
    slice: (bytes, start, end) => written.push(bytes.latin1Slice(start, end)),
    text: (added) => written.push(Buffer.from(added).toString('latin1')),
  };
  try {
    for (const piece of pieces) {
      if (piece.type === 'passage') sink.slice(piece.span.bytes, piece.span.start, piece.span.end);
      if (piece.type === 'warning') written.push(piece.message);
      if (piece.type !== 'opened') continue;
      written.push(note(piece));
      const found = piece.tabled && rewriteTable(piece.tabled, [step], ({ model }) => ({ ...CHARACTERS, model }));
      if (found !== undefined) {
        tabled++;
        piece.tabled!.save(sink, found.rows);
      } else
        piece.save(
          sink,
          piece.transcripts.map((transcript) => rewriteBy(transcript, [step], CHARACTERS)),
        );
    }
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    return { output: written.join(''), error: describeError(error), tabled };
  }
  return { output: written.join(''), error: undefined, tabled };
}

/** Pieces that were read once, for several steps; the error that ends them ends each of these. */
export function kept(pieces: Iterable<Piece>): Iterable<Piece> {
  const all: Piece[] = [];
  const failures: unknown[] = [];
  try {
    for (const piece of pieces) all.push(piece);
  } catch (error) {
    failures.push(error);
  }
  return {
    *[Symbol.iterator]() {
      yield* all;
      for (const failure of failures) throw failure;
    },
  };
}

/** Expects the same both ways. Returns how often a table was used. */
export function expectSame(
  steps: readonly Step[],
  both: (step: Step) => { byTable: Saved; byMessages: Saved },
): number {
  return steps.reduce((sum, step) => {
    const { byTable, byMessages } = both(step);
    expect({ ...byTable, tabled: 0 }).toEqual(byMessages);
    return sum + byTable.tabled;
  }, 0);
}
