/** Text that streams in pieces, and adjacent text parts, joined: a secret may begin in one and end in another. */
import type { FindSecrets, FoundSecret } from './found.js';
import { isCode } from './placeholder.js';

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Finds that stand in several pieces: the first of their spans is the secret, the others are its rest. */
export function findAcross(bytes: Buffer, find: FindSecrets): FoundSecret[] {
  // a part is a text of its own: what is a secret without the next part ends with it, unless no word follows
  const parts = partRuns(bytes).flatMap((run) =>
    crossing(bytes, run, find).filter(
      ({ first, rest }) =>
        !isWord(rest) || run.every((piece) => !find(bytes, piece.start, piece.end).some((own) => own.start === first)),
    ),
  );
  return [...parts, ...streamRuns(bytes).flatMap((run) => crossing(bytes, run, find))];
}

/** A find, where its first piece begins, and what of it is in later pieces. */
type Crossing = FoundSecret & { readonly first: number; readonly rest: string };

/** Whether a text may begin a sentence, a list or a path rather than go on with a secret. */
function isWord(text: string): boolean {
  return /^\W*\w{0,3}\W*$/.test(text) || isCode(text);
}

function crossing(bytes: Buffer, pieces: readonly Piece[], find: FindSecrets): Crossing[] {
  const joined = Buffer.concat(pieces.map(({ start, end }) => bytes.subarray(start, end)));
  const finds = find(joined);
  if (finds.length === 0) return [];
  let at = 0;
  const placed = pieces.map(({ start, end }) => {
    const from = at;
    at += end - start;
    return { from, to: at, shift: start - from };
  });
  return finds.flatMap((secret) => {
    const parts = placed.filter(({ from, to }) => from < secret.end && secret.start < to);
    const rest = joined.latin1Slice(parts[0]!.to, secret.end); // where it is empty, its name may be in another piece
    const first = Math.max(parts[0]!.from, secret.start) + parts[0]!.shift;
    return parts.map(({ from, to, shift }, index) => ({
      ...secret,
      first,
      rest,
      start: Math.max(from, secret.start) + shift,
      end: Math.min(to, secret.end) + shift,
      isRest: index > 0,
    }));
  });
}

const STRING = '"((?:[^"\\\\]|\\\\.)*)"';
const TEXT = '"text":';
/** Its end, which begins with a rare letter: that is searched faster. */
const END_OF_TEXT = Buffer.from('xt":');
/** What stands between two text parts of one list. */
const BETWEEN = new RegExp(
  String.raw`^"(?:\s*,\s*"(?:type|cache_control|annotations|logprobs)"\s*:\s*(?:"\w+"|\{[^{}]*\}|\[\]|null))*` +
    String.raw`\s*\}\s*,\s*\{\s*(?:"type"\s*:\s*"(?:text|input_text|output_text)"\s*,\s*)?$`,
);
const LONGEST_BETWEEN = 160;

function partRuns(bytes: Buffer): Piece[][] {
  const runs: Piece[][] = [];
  let before: Piece | undefined;
  let run: Piece[] = [];
  for (let end = bytes.indexOf(END_OF_TEXT); end >= 0; end = bytes.indexOf(END_OF_TEXT, end + 1)) {
    const at = end + END_OF_TEXT.length - TEXT.length;
    if (at < 0 || bytes.latin1Slice(at, at + TEXT.length) !== TEXT) continue;
    const piece = stringAfter(bytes, at + TEXT.length);
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

/** The names of members that hold a piece, in the streams of model providers and of agents. */
const STREAMED = new RegExp(
  '"(?:delta|text|content|partial_json|arguments|thinking|textDelta|inputTextDelta|reasoning)"' +
    `\\s{0,4}:\\s{0,4}${STRING}`,
  'g',
);
/** What lines of streams hold. */
const STREAMS = ['delta', 'Delta', '_chunk'].map((mark) => Buffer.from(mark));

function streamRuns(bytes: Buffer): Piece[][] {
  const runs = new Map<string, Piece[]>();
  for (const { start, end } of linesWith(STREAMS, bytes)) {
    const line = end - start < LONGEST_LINE ? bytes.latin1Slice(start, end) : '';
    const piece = /delta|_chunk|Delta/.test(line) ? [...line.matchAll(STREAMED)].at(-1) : undefined;
    if (piece === undefined) continue;
    const from = start + piece.index + piece[0].length - 1 - piece[1]!.length;
    const shape = line.replace(VALUES, (value, colon) => (colon === undefined ? '' : value));
    const run = runs.get(shape) ?? [];
    if (run.length === 0) runs.set(shape, run);
    run.push({ start: from, end: from + piece[1]!.length });
  }
  return [...runs.values()].filter((run) => run.length > 1);
}

function* linesWith(marks: readonly Buffer[], bytes: Buffer): Generator<Piece, void, void> {
  const next = marks.map(() => -1);
  for (let from = 0; ; ) {
    for (const [index, mark] of marks.entries()) if (next[index]! < from) next[index] = placeOf(mark, bytes, from);
    const at = next.reduce((first, place) => (place < first ? place : first));
    if (at === bytes.length) return;
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    from = placeOf(0x0a, bytes, at) + 1;
    yield { start, end: Math.min(from, bytes.length) };
  }
}

/** The end where there is none. */
function placeOf(text: Buffer | number, bytes: Buffer, from: number): number {
  const at = bytes.indexOf(text, from);
  return at < 0 ? bytes.length : at;
}

/** Pieces are short, and so are their lines. */
const LONGEST_LINE = 20_000;
/** What differs from one piece to the next: strings that are no names, and numbers. */
const VALUES = /"(?:[^"\\]|\\.)*"(\s*:)?|\d+/g;
