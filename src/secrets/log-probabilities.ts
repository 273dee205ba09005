/** Lists of tokens with their probabilities: they tell the text again, in pieces, as bytes, and in alternatives. */
import { type Crossing, crossing, type Piece } from './crossing.js';
import type { FindSecrets, FoundSecret } from './found.js';

/** A part of `"logprobs"` that begins with a rare letter: that is searched faster. */
const MARK = Buffer.from('gprobs');
const OPEN = /"logprobs(?:Result|_result)?"\s*:\s*(?=[{[])/y;
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g;

/** A token that was chosen. */
interface Chosen {
  readonly token: Piece;
  /** Its bytes, and what stood there as likely. */
  readonly also: Piece[];
}

export function findInProbabilities(bytes: Buffer, find: FindSecrets): FoundSecret[] {
  if (bytes.indexOf(MARK) < 0) return [];
  return runsIn(bytes).flatMap((run) => {
    const tokens = run.map(({ token }) => token);
    return crossing(bytes, tokens, find).flatMap((found) => [found, ...restOf(run[found.piece]!, found)]);
  });
}

function restOf({ also }: Chosen, found: Crossing): readonly FoundSecret[] {
  return also.filter(({ start, end }) => end > start).map((span) => ({ ...found, ...span, isRest: true }));
}

/** The tokens of each answer; those of a stream go on from line to line. */
function runsIn(bytes: Buffer): Chosen[][] {
  const text = bytes.latin1Slice();
  const runs: Chosen[][] = [];
  const streams = new Map<string, Chosen[]>();
  for (let at = text.indexOf('"logprobs'); at >= 0; at = text.indexOf('"logprobs', at + 1)) {
    OPEN.lastIndex = at;
    if (!OPEN.test(text)) continue;
    const chosen: Chosen[] = [];
    const start = OPEN.lastIndex;
    at = readTokens(text, start, chosen);
    const stream = streamAround(text, start, at);
    const run = stream === undefined ? undefined : streams.get(stream);
    if (run === undefined) runs.push(chosen);
    else for (const one of chosen) run.push(one);
    if (run === undefined && stream !== undefined) streams.set(stream, chosen);
  }
  return runs;
}

/** Of Gemini: lists of what stood there as likely, beside the list of what was chosen. */
const TOPS = /^top_?[cC]andidates$/;

/** Reads a value with lists of tokens; returns its end. */
function readTokens(text: string, start: number, into: Chosen[]): number {
  const open: { readonly name: string; readonly at: number; token?: Piece; also: Piece[] }[] = [];
  let name = '';
  const tops: Piece[][] = [];
  const finish = (end: number) => {
    for (const [index, chosen] of into.entries()) for (const span of tops[index] ?? []) chosen.also.push(span);
    return end;
  };
  TOKEN.lastIndex = start;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const { 0: sign, 1: string, 2: colon, index } = match;
    if (colon !== undefined) {
      name = string!;
      continue;
    }
    const last = open.at(-1);
    if (sign === '{' || sign === '[') open.push({ name, at: index, also: [] });
    else if (string !== undefined) {
      if (name === 'token' && last !== undefined) last.token = { start: index + 1, end: index + 1 + string.length };
    } else if (last !== undefined) {
      open.pop();
      const outer = open.at(-1);
      if (outer === undefined) return finish(index);
      if (last.name === 'bytes') outer.also.push({ start: last.at + 1, end: index });
      else if (TOPS.test(outer.name)) tops.push([...last.also]);
      else if (last.token === undefined) for (const span of last.also) outer.also.push(span);
      else if (outer.name === 'top_logprobs' || TOPS.test(open.at(-3)?.name ?? ''))
        outer.also.push(last.token, ...last.also);
      else into.push({ token: last.token, also: last.also });
    }
    name = '';
  }
  return finish(text.length);
}

/** The answer of a stream that a line is of; undefined where it is no line of a stream. */
function streamAround(text: string, start: number, end: number): string | undefined {
  const from = text.lastIndexOf('\n', start) + 1;
  if (start - from > LONGEST_LINE) return undefined;
  const before = text.slice(from, start);
  if (!/[dD]elta/.test(before)) return undefined;
  const after = /^[^\n]{0,200}/.exec(text.slice(end, end + 200))![0];
  return [...before.matchAll(INDEX)].at(-1)?.[1] ?? INDEX_AFTER.exec(after)?.[1] ?? '';
}

const LONGEST_LINE = 20_000;
const INDEX = /"(?:index|output_index)"\s*:\s*(\d+)/g;
const INDEX_AFTER = /"index"\s*:\s*(\d+)/;
