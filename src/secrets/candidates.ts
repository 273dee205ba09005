/** Answers of Gemini that stream: each chunk has a text of each candidate, in lines or in one list. */
import type { Piece } from './crossing.js';

export interface Candidates {
  /** Takes a text that begins at `at`, with its name, if it is one of a candidate. */
  add(bytes: Buffer, at: number, piece: Piece): void;
  /** Texts that are one. */
  whole(): readonly (readonly Piece[])[];
  /** Texts that may be answers of their own: chunks of old models ended as an answer does. */
  loose(): readonly (readonly Piece[])[];
}

interface Run {
  readonly pieces: Piece[];
  /** Whether the last of its chunks ended the answer. */
  isOver: boolean;
  isLoose: boolean;
}

export function createCandidates(): Candidates {
  const runs: Run[] = [];
  const open = new Map<string, Run>();
  const of = (isLoose: boolean) =>
    runs.filter((run) => run.pieces.length > 1 && run.isLoose === isLoose).map(({ pieces }) => pieces);
  let last = Number.NEGATIVE_INFINITY;

  const add = (bytes: Buffer, at: number, piece: Piece) => {
    const before = bytes.latin1Slice(Math.max(0, at - LONGEST_HEAD), at);
    const [head, list, index] = (IN_PARTS.test(before) ? HEAD.exec(before) : null) ?? [];
    if (head === undefined || (list === undefined && at - last > LONGEST_CHUNK)) return;
    last = piece.end;
    const after = bytes
      .latin1Slice(piece.end, Math.min(bytes.length, piece.end + LONGEST_TAIL))
      .split('"content"', 1)[0]!;
    const isThought = /"thought"\s*:\s*true/.test(head) || /^"\s*,\s*"thought"\s*:\s*true/.test(after);
    const key = `${index ?? /"index"\s*:\s*(\d+)/.exec(after)?.[1] ?? 0} ${isThought}`;
    const run = goingOn(open.get(key)) ?? { pieces: [], isOver: false, isLoose: false };
    if (run.pieces.length === 0) runs.push(run);
    run.isLoose ||= run.isOver;
    run.isOver = /"finishReason"/.test(after);
    run.pieces.push(piece);
    open.set(key, run);
  };
  return { add, whole: () => of(false), loose: () => of(true) };
}

/** Of old models each chunk ended as an answer does, and was short. */
function goingOn(run: Run | undefined): Run | undefined {
  const piece = run?.pieces.at(-1);
  return run === undefined || (run.isOver && piece!.end - piece!.start > LONGEST_PIECE) ? undefined : run;
}

const IN_PARTS = /"parts"\s*:\s*\[\s*\{\s*(?:"thought"\s*:\s*true\s*,\s*)?$/;
const HEAD = new RegExp(
  String.raw`(?:("candidates"\s*:\s*\[)|\}\s*,)\s*\{\s*` +
    String.raw`(?:"index"\s*:\s*(\d+)\s*,\s*|"\w+"\s*:\s*(?:"\w*"|null|[\d.-]+)\s*,\s*){0,4}` +
    String.raw`"content"\s*:\s*\{\s*(?:"role"\s*:\s*"\w+"\s*,\s*)?"parts"\s*:\s*\[\s*\{\s*` +
    String.raw`(?:"thought"\s*:\s*true\s*,\s*)?$`,
);
const LONGEST_HEAD = 400;
const LONGEST_TAIL = 1_000;
const LONGEST_CHUNK = 20_000;
const LONGEST_PIECE = 2_000;
