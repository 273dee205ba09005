/** Lines of streams, each with pieces of texts. Those are one text that stand in the same place of their records. */
import type { Piece } from './crossing.js';

/** What lines of streams hold, but for those of Ollama. */
const STREAMS = ['delta', 'Delta', '_chunk'].map((mark) => Buffer.from(mark));
const DELTA = /delta|Delta|_chunk/;
/** Pieces are short, and so are their lines. */
const LONGEST_LINE = 20_000;
/** The members that hold a piece, in the streams of model providers and of agents. */
const PIECES = new Set(
  (
    'delta text content partial_json arguments thinking textDelta inputTextDelta deltaContent reasoning ' +
    'reasoning_content refusal response'
  ).split(' '),
);
/** Which of several answers, calls or blocks a piece is of. */
const INDEXES = new Set('index contentBlockIndex output_index content_index summary_index'.split(' '));

export function streamRuns(bytes: Buffer): Piece[][] {
  const runs = new Map<string, Piece[]>();
  const add = (pieces: readonly Told[], line: Piece) => {
    for (const piece of pieces) {
      const key = placeOf(piece);
      const run = runs.get(key) ?? [];
      if (run.length === 0) runs.set(key, run);
      run.push({ start: line.start + piece.start, end: line.start + piece.end });
    }
  };
  for (const line of linesWith(STREAMS, bytes)) {
    const text = line.end - line.start < LONGEST_LINE ? bytes.latin1Slice(line.start, line.end) : '';
    if (DELTA.test(text)) add(deltasIn(text), line);
  }
  for (const line of ollamaLines(bytes)) add(answersIn(bytes.latin1Slice(line.start, line.end)), line);
  return [...runs.values()].filter((run) => run.length > 1);
}

/** An object or a list around a piece. */
interface Level {
  readonly parent: Level | undefined;
  readonly name: string;
  /** Whether it is in a member that is called a delta. */
  readonly isDelta: boolean;
  index: string;
  /** A value that calls it a piece: `text_delta`. */
  type: string;
}

interface Told extends Piece {
  readonly name: string;
  readonly level: Level;
}

/** Texts with a name that a piece may have, whatever is around them. */
function toldIn(line: string): Told[] {
  const told: Told[] = [];
  let level: Level = { parent: undefined, name: '', isDelta: false, index: '', type: '' };
  let name = '';
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      const end = closeOf(line, at + 1);
      if (end < 0) break;
      const next = afterSpaces(line, end + 1);
      const isName = line.charCodeAt(next) === COLON;
      if (!isName && PIECES.has(name)) told.push({ name, level, start: at + 1, end });
      else if (!isName) level.type = typeOf(line, at + 1, end) ?? level.type;
      name = isName ? line.slice(at + 1, end) : '';
      at = isName ? next : end;
    } else if (code === OBJECT || code === LIST) {
      level = { parent: level, name, isDelta: level.isDelta || DELTA.test(name), index: '', type: '' };
      name = '';
    } else if (code === OBJECT + 2 || code === LIST + 2) level = level.parent ?? level;
    else if (code >= ZERO && code <= ZERO + 9 && INDEXES.has(name)) level.index += line[at];
  }
  return told;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const LIST = 0x5b;
const OBJECT = 0x7b;
const ZERO = 0x30;

/** The quote that ends a string. */
function closeOf(line: string, start: number): number {
  for (let end = line.indexOf('"', start); end >= 0; end = line.indexOf('"', end + 1)) {
    let run = end;
    while (run > start && line.charCodeAt(run - 1) === 0x5c) run--;
    if ((end - run) % 2 === 0) return end;
  }
  return -1;
}

function afterSpaces(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === 0x20) at++;
  return at;
}

/** A word that calls what is beside it a piece. */
function typeOf(line: string, start: number, end: number): string | undefined {
  const value = end - start <= LONGEST_TYPE ? line.slice(start, end) : '';
  return DELTA.test(value) && !value.includes(' ') ? value : undefined;
}

const LONGEST_TYPE = 60;

/** Pieces in members that are called a delta; or else the last one in a record that is called so. */
function deltasIn(line: string): readonly Told[] {
  const told = toldIn(line);
  const named = told.filter(({ name, level }) => level.isDelta || DELTA.test(name));
  return named.length > 0 ? named : told.filter(({ name, level }) => name !== 'response' && hasType(level)).slice(-1);
}

function hasType(level: Level | undefined): boolean {
  return level !== undefined && (level.type !== '' || hasType(level.parent));
}

/** What Ollama says: `response`, or the content of `message`. */
function answersIn(line: string): readonly Told[] {
  return toldIn(line).filter(({ name, level }) => level.name === (name === 'response' ? '' : 'message'));
}

function placeOf({ name, level }: Told): string {
  let place = name;
  for (let one: Level | undefined = level; one !== undefined; one = one.parent)
    place += `/${one.name}:${one.index}:${one.type}`;
  return place;
}

function* linesWith(marks: readonly Buffer[], bytes: Buffer): Generator<Piece, void, void> {
  const next = marks.map(() => -1);
  for (let from = 0; ; ) {
    for (const [index, mark] of marks.entries()) if (next[index]! < from) next[index] = nextOf(mark, bytes, from);
    const at = next.reduce((first, place) => (place < first ? place : first));
    if (at === bytes.length) return;
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    from = nextOf(0x0a, bytes, at) + 1;
    yield { start, end: Math.min(from, bytes.length) };
  }
}

/** Lines of Ollama, and what ends its stream. */
function* ollamaLines(bytes: Buffer): Generator<Piece, void, void> {
  let open = -1; // where a line ends that another one follows
  for (const line of linesWith([OLLAMA], bytes)) {
    const text = line.end - line.start < LONGEST_LINE ? bytes.latin1Slice(line.start, line.end) : '';
    const isOpen = goesOn(text);
    if (isOpen || (line.start === open && DONE.test(text))) yield line;
    open = isOpen ? line.end : -1;
  }
}

const OLLAMA = Buffer.from('"done"');
const NOT_DONE = /"done"\s*:\s*false\s*[,}]/y;
const DONE = /"done"\s*:\s*true/;

/** Whether the object of a line itself says that it is not the last of a stream, wherever it says so. */
function goesOn(line: string): boolean {
  if (!line.includes('"done"')) return false;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      NOT_DONE.lastIndex = at;
      if (depth === 1 && NOT_DONE.test(line)) return true;
      const close = closeOf(line, at + 1);
      if (close < 0) return false;
      at = close;
    } else if (code === OBJECT || code === LIST) depth++;
    else if (code === OBJECT + 2 || code === LIST + 2) depth--;
  }
  return false;
}

/** Whether a line tells a piece of a text. */
export function isOfStream(line: string): boolean {
  return DELTA.test(line) || goesOn(line) || CANDIDATES.test(line);
}

const CANDIDATES = /^(?:data:\s*)?\{\s*"candidates"/;

/** The end where there is none. */
function nextOf(text: Buffer | number, bytes: Buffer, from: number): number {
  const at = bytes.indexOf(text, from);
  return at < 0 ? bytes.length : at;
}
