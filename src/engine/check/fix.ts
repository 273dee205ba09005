/**
 * Fixes a piece. What a fix wrote can read otherwise than it was meant, in a file that is damaged in more than one way:
 * so what would be written is read again, and only what is found in that counts as left.
 */
import type { Safety, Severity } from '../../findings.js';
import { type RuleFinding, severityOf } from '../../rules/run-rules.js';
import type { Detection } from '../../source/detect/detection.js';
import type { Opened } from '../../source/piece.js';
import { reopened } from '../../source/reopened.js';
import type { Transcript } from '../../transcript/types.js';
import { isChanged, type Settled } from '../rewrite/settle.js';
import type { TranscriptRules } from './transcript-rules.js';

export interface FixOptions {
  readonly rules: TranscriptRules;
  readonly file: string;
  readonly allowed: ReadonlySet<Safety>;
  readonly detection: Detection;
}

/** Transcripts, and the piece that tells where they are. */
interface Reading {
  readonly piece: Opened;
  readonly transcripts: readonly Transcript[];
}

export type FixPiece = (piece: Opened, options: FixOptions) => FixedPiece;

export interface FixedPiece {
  /** What is done to the piece, then to what is read of the result, and so on; at least one. */
  readonly rounds: readonly Settled[];
  /** The transcripts as the next run reads them. */
  readonly left: Reading;
  /** Number of problems that are no longer found. */
  readonly fixed: number;
}

/** What is left after so many rounds, and found in it. */
interface State extends Pick<FixedPiece, 'rounds' | 'left'> {
  readonly found: readonly RuleFinding[];
}

/** What is found in a fixed piece is fixed, too, at most so often. */
const ROUNDS = 4;

/** Fixes round by round, and returns the state in which the least is found: where no fix helps, the piece as it is. */
export function fixPiece(piece: Opened, { rules, file, allowed, detection }: FixOptions): FixedPiece {
  const fixed = (now: Opened): Settled => {
    return {
      piece: now,
      after: now.transcripts.map((transcript) => rules.fix({ transcript, piece: now, file }, allowed)),
    };
  };
  const stateOf = (rounds: readonly Settled[], left: Reading): State => {
    const found = left.transcripts.flatMap((transcript) => rules.run({ transcript, piece: left.piece, file }).found);
    return { rounds, left, found };
  };
  let next = fixed(piece);
  if (!isChanged(next)) return { rounds: [next], left: readingOf(piece), fixed: 0 };
  const states = [stateOf([], readingOf(piece))];
  while (isChanged(next) && states.length <= ROUNDS) {
    const read = reopened(next.piece, next.after, detection);
    if (read === undefined && states.length > 1) break;
    const left = read === undefined ? { piece, transcripts: next.after } : readingOf(read);
    states.push(stateOf([...states.at(-1)!.rounds, next], left));
    if (read === undefined) break; // there is no more to be told of it, or `save` will say why it is rejected
    next = fixed(read);
  }
  const best = states.reduce((one, other) => (isLess(other.found, one.found) ? other : one));
  return {
    rounds: best.rounds.length === 0 ? [{ piece, after: piece.transcripts }] : best.rounds,
    left: best.left,
    fixed: fewer(states[0]!.found, best.found),
  };
}

const readingOf = (piece: Opened): Reading => ({ piece, transcripts: piece.transcripts });

/** Whether there are fewer errors, or as many and fewer warnings. */
function isLess(one: readonly RuleFinding[], other: readonly RuleFinding[]): boolean {
  const errors = countOf(one, 'error') - countOf(other, 'error');
  return errors < 0 || (errors === 0 && countOf(one, 'warning') < countOf(other, 'warning'));
}

function countOf(findings: readonly RuleFinding[], severity: Severity): number {
  return findings.filter((finding) => severityOf(finding) === severity).length;
}

/** By how many, rule by rule: what is found only then is no fault that was fixed before. */
function fewer(before: readonly RuleFinding[], after: readonly RuleFinding[]): number {
  const countOf = (findings: readonly RuleFinding[], id: string) =>
    findings.filter(({ rule }) => rule.id === id).length;
  const ids = [...new Set(before.map(({ rule }) => rule.id))];
  return ids.reduce((sum, id) => sum + Math.max(0, countOf(before, id) - countOf(after, id)), 0);
}
