/** Text that streams in pieces, and adjacent text parts, joined: a secret may begin in one and end in another. */
import { type Candidates, createCandidates } from './candidates.js';
import { crossing, type Piece } from './crossing.js';
import type { FindSecrets, FoundSecret } from './found.js';
import { findInProbabilities } from './log-probabilities.js';
import { isCode } from './placeholder.js';
import { streamRuns } from './streams.js';

/** Finds that stand in several pieces: the first of their spans is the secret, the others are its rest. */
export function findAcross(bytes: Buffer, find: FindSecrets): FoundSecret[] {
  const candidates = createCandidates();
  // a part is a text of its own: what is a secret without the next part ends with it, unless no word follows
  const parts = [...partRuns(bytes, candidates), ...candidates.loose()].flatMap((run) =>
    crossing(bytes, run, find).filter(
      ({ first, rest }) =>
        !isWord(rest) || run.every((piece) => !find(bytes, piece.start, piece.end).some((own) => own.start === first)),
    ),
  );
  const streams = [...streamRuns(bytes), ...candidates.whole()].flatMap((run) => crossing(bytes, run, find));
  return [...parts, ...streams, ...findInProbabilities(bytes, find)];
}

/** Whether a text may begin a sentence, a list or a path rather than go on with a secret. */
function isWord(text: string): boolean {
  return /^\W*\w{0,3}\W*$/.test(text) || isCode(text);
}

const TEXT = '"text":';
/** Its end, which begins with a rare letter: that is searched faster. */
const END_OF_TEXT = Buffer.from('xt":');
/** What stands between two text parts of one list. */
const BETWEEN = new RegExp(
  String.raw`^"(?:\s*,\s*"(?:type|cache_control|annotations|logprobs)"\s*:\s*(?:"\w+"|\{[^{}]*\}|\[\]|null))*` +
    String.raw`\s*\}\s*,\s*\{\s*(?:"type"\s*:\s*"(?:text|input_text|output_text)"\s*,\s*)?$`,
);
const LONGEST_BETWEEN = 160;

function partRuns(bytes: Buffer, candidates: Candidates): Piece[][] {
  const runs: Piece[][] = [];
  let before: Piece | undefined;
  let run: Piece[] = [];
  for (let end = bytes.indexOf(END_OF_TEXT); end >= 0; end = bytes.indexOf(END_OF_TEXT, end + 1)) {
    const at = end + END_OF_TEXT.length - TEXT.length;
    if (at < 0 || bytes.latin1Slice(at, at + TEXT.length) !== TEXT) continue;
    const piece = stringAfter(bytes, at + TEXT.length);
    if (piece !== undefined) candidates.add(bytes, at, piece);
    const gap = before === undefined || piece === undefined ? 0 : at - before.end;
    const isNext = gap > 0 && gap < LONGEST_BETWEEN && BETWEEN.test(bytes.latin1Slice(before!.end, at));
    if (!isNext) run = [];
    else if (run.length > 0) run.push(piece!);
    else {
      run = [before!, piece!];
      runs.push(run);
    }
    before = piece;
  }
  return runs;
}

/** The content of the string that follows. */
function stringAfter(bytes: Buffer, from: number): Piece | undefined {
  let start = from;
  while (bytes[start] === 0x20) start++;
  if (bytes[start] !== 0x22) return undefined;
  for (let at = bytes.indexOf(0x22, start + 1); at >= 0; at = bytes.indexOf(0x22, at + 1)) {
    let run = at;
    while (bytes[run - 1] === 0x5c) run--;
    if ((at - run) % 2 === 0) return { start: start + 1, end: at };
  }
  return undefined;
}
