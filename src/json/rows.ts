/**
 * Reads a file as a row of values: the lines of a JSON Lines file, one JSON document, or the elements of a top-level
 * array, one at a time, so that a dataset of any size needs the memory of one element. The bytes between values are
 * kept.
 */

import { TranscriptError } from '../errors.js';
import type { JsonNode } from './node.js';
import type { Read, Reuse, Span } from './read.js';
import { CHUNK } from './room.js';
import { Window } from './window.js';

export type { Read, Reuse, Span } from './read.js';

/** The parts of a file, in order. All spans and records together are the file, byte for byte. */
export type RowEvent =
  /** A row begins: the bytes before its first value (a BOM, white space, the bracket of an array). */
  | { readonly type: 'open'; readonly span: Span; readonly array: boolean; readonly line: number }
  /**
   * A value, and the bytes between it and the value before it in the row. `columnsBefore`: the UTF-16 units of its line
   * that are no longer in its bytes.
   */
  | {
      readonly type: 'record';
      readonly gap: Span;
      readonly root: JsonNode;
      readonly line: number;
      readonly columnsBefore: number;
    }
  /** A line that is not JSON, with the option `skipBadLines`. */
  | {
      readonly type: 'bad';
      readonly gap: Span;
      readonly span: Span;
      readonly line: number;
      readonly error: TranscriptError;
    }
  /** Lines that were skipped unread; with `part`, they were read elsewhere, and the span is empty. */
  | { readonly type: 'passed'; readonly gap: Span; readonly span: Span; readonly part?: ReadPart }
  /** The input ends in the middle of its last line. */
  | {
      readonly type: 'cut';
      readonly gap: Span;
      readonly span: Span;
      readonly line: number;
      readonly error: TranscriptError;
    }
  /** The row ends: the bytes after its last value. */
  | { readonly type: 'close'; readonly span: Span };

export interface RowOptions {
  /**
   * Lines that are not JSON become `bad` events instead of errors. `whole-lines`: only where the input is JSON Lines
   * beyond doubt, because a bad value begins and fails on a line of its own.
   */
  readonly skipBadLines?: boolean | 'whole-lines';
  /** How many bytes to read at once. */
  readonly chunk?: number;
  /** The bytes of the whole input, if they are known. */
  readonly size?: number | undefined;
  /** Reuses memory. Without it, all events may be kept. */
  readonly reuse?: Reuse;
  readonly passing?: Passing;
  readonly elsewhere?: Elsewhere | undefined;
}

/** Lines that were read elsewhere, by another thread. */
export interface ReadPart {
  readonly lines: number;
  /** The values in them. */
  readonly records: number;
}

/** Takes over whole lines. It also is what the input is read from, and gives lines back that it cannot deal with. */
export interface Elsewhere {
  /** Whether what is read ends with a line. */
  isOn(): boolean;
  /** The next lines of the input, of which the first has this number; undefined if they must be read here. */
  next(line: number): ReadPart | undefined;
}

/** If marks are set, lines without any of them are skipped unread. Set them only if each value has its own line. */
export interface Passing {
  marks: readonly Buffer[] | undefined;
  /** Set where a line holds more than one value, or less. */
  isMixed?: boolean;
}

const wide = (name: string) => `the input is ${name}; convert it to UTF-8 first (iconv -f ${name} -t UTF-8)`;
const packed = (name: string) => `the input is ${name}, not JSON; unpack it first`;

const UTF_16 = wide('UTF-16');
/** What other files begin with, in lower case, and what to do with them. */
const FOREIGN: readonly (readonly [mark: string, what: string])[] = [
  ['\xff\xfe\0\0', wide('UTF-32')],
  ['\0\0\xfe\xff', wide('UTF-32')],
  ['\xff\xfe', UTF_16],
  ['\xfe\xff', UTF_16],
  ['\x1f\x8b', packed('gzip')],
  ['pk\x03\x04', packed('a ZIP archive')],
  ['\x28\xb5\x2f\xfd', packed('zstd')],
  ['bzh', packed('bzip2')],
  ['\xfd7zxz', packed('xz')],
  // https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md (2026-11-30)
  ['version https://git-lfs', 'the input is a pointer of Git LFS; get the file itself first (git lfs pull)'],
];
const HTML = /^<(?:!doctype )?html/;
/** More than the longest mark. */
const HEAD = 32;

/** Splits an input into rows of values. Throws TranscriptError with line and column if it is not JSON. */
export function* rows(read: Read, options: RowOptions = {}): Generator<RowEvent, void, void> {
  const input = new Window(read, options.chunk ?? CHUNK, options.reuse, options.size);
  try {
    toFirstValue(input, options);
    while (!input.atEnd) {
      if (input.bytes[input.pos] === 0x5b) yield* elements(input);
      else yield* lines(input, options);
    }
  } finally {
    input.release();
  }
}

/** The values of lines in the middle of an input; `line` is the number of the first. */
export function* partRows(read: Read, line: number, options: RowOptions): Generator<RowEvent, void, void> {
  const input = new Window(read, options.chunk ?? CHUNK, options.reuse);
  try {
    input.skipLines(line - 1);
    input.toValue();
    yield* lines(input, options);
  } finally {
    input.release();
  }
}

function toFirstValue(input: Window, { skipBadLines }: RowOptions): void {
  while (input.limit < 4 && !input.ended) input.fill();
  rejectForeign(input, Boolean(skipBadLines));
  if (input.bytes[0] === 0xef && input.bytes[1] === 0xbb && input.bytes[2] === 0xbf) input.pos = 3;
  input.toValue();
  if (input.atEnd)
    throw new TranscriptError(
      'json',
      input.limit === 0 ? 'the input is empty' : 'the input holds nothing but white space',
    );
}

/** Top-level values, the first of which is not an array. Later arrays are values like the others. */
function* lines(
  input: Window,
  { skipBadLines: skipping = false, passing, elsewhere }: RowOptions,
): Generator<RowEvent, void, void> {
  yield { type: 'open', span: input.take(), array: false, line: input.line };
  let records = 0;
  let isOneEach = true; // so far, each value has its own line
  while (!input.atEnd) {
    const gap = input.take();
    if (passing?.marks !== undefined && isOneEach && input.passLines(passing.marks)) {
      records++;
      yield { type: 'passed', gap, span: input.take() };
      input.toValue();
      continue;
    }
    const line = input.line;
    const root = input.value();
    if (passing !== undefined)
      isOneEach &&= root !== undefined && (records === 0 || hasLineBreak(gap)) && input.line === line;
    if (root !== undefined) {
      records++;
      yield { type: 'record', gap, root, line, columnsBefore: input.columnsBefore };
    } else {
      const error = input.error();
      const skipBadLines = skipping === 'whole-lines' ? isWholeLine(gap, records, error, line, input) : skipping;
      if (!skipBadLines && (records === 0 || !input.mayBeCut())) throw error; // the rest may be gigabytes
      const cut = input.restOfLine(error);
      if (input.isCut && records > 0 && cut) yield { type: 'cut', gap, span: input.take(), line, error };
      else if (skipBadLines) yield { type: 'bad', gap, span: input.take(), line, error };
      else throw error;
    }
    if (passing !== undefined && !isOneEach) passing.isMixed = true;
    else if (elsewhere?.isOn() && input.isSpent) yield* readElsewhere(input, elsewhere);
    input.toValue();
  }
  yield { type: 'close', span: input.take() };
}

function* readElsewhere(input: Window, elsewhere: Elsewhere): Generator<RowEvent, void, void> {
  for (;;) {
    const part = elsewhere.next(input.lineBehind);
    if (part === undefined) return;
    yield { type: 'passed', gap: input.takeRest(), span: input.take(), part };
    input.skipLines(part.lines);
  }
}

/**
 * Whether a bad value begins a line, and fails on it or at the beginning of the next, where a torn line ends. What was
 * torn behind a colon or bracket takes in the next line, and fails behind that.
 */
function isWholeLine(
  gap: Span,
  records: number,
  { place }: TranscriptError,
  line: number,
  { isCut }: Pick<Window, 'isCut'>,
): boolean {
  if (records > 0 && !hasLineBreak(gap)) return false;
  const behind = (place?.line ?? 0) - line;
  if (behind === 0 || (behind === 1 && place?.column === 1)) return true;
  return records > 0 && (behind === 1 || behind === 2) && (isCut || place?.column === 1);
}

function hasLineBreak({ bytes, start, end }: Span): boolean {
  return bytes.subarray(start, end).includes(0x0a);
}

/** The elements of a top-level array. */
function* elements(input: Window): Generator<RowEvent, void, void> {
  const start = input.line;
  input.pos++;
  input.toValue();
  yield { type: 'open', span: input.take(), array: true, line: start };
  if (input.bytes[input.pos] !== 0x5d) {
    for (;;) {
      const gap = input.take();
      const line = input.line;
      const root = input.value();
      if (root === undefined) throw input.error();
      yield { type: 'record', gap, root, line, columnsBefore: input.columnsBefore };
      input.toValue();
      const byte = input.bytes[input.pos];
      if (input.atEnd || (byte !== 0x2c && byte !== 0x5d)) throw input.error('expected a comma or a closing bracket');
      if (byte === 0x5d) break;
      input.pos++;
      input.toValue();
    }
  }
  input.pos++;
  input.toValue();
  yield { type: 'close', span: input.take() };
}

/** `takesText`: a first line that is no JSON is no reason to stop. */
function rejectForeign({ bytes, limit }: Window, takesText: boolean): void {
  const head = bytes.latin1Slice(0, Math.min(HEAD, limit)).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const found = FOREIGN.find(([mark]) => head.startsWith(mark))?.[1] ?? (limit < 4 ? undefined : wideIn(bytes));
  const what = found ?? (!takesText && HTML.test(head) ? 'the input is HTML, not JSON; get the file again' : undefined);
  if (what !== undefined) throw new TranscriptError('encoding', what, { line: 1, column: 1 });
}

/** In which order a bracket or brace, and what follows it, have two bytes each, if they do. */
function wideIn(bytes: Buffer): string | undefined {
  const opens = (at: number) => bytes[at] === 0x5b || bytes[at] === 0x7b;
  if (opens(0) && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0) return wide('UTF-16LE');
  return bytes[0] === 0 && opens(1) && bytes[2] === 0 && bytes[3] !== 0 ? wide('UTF-16BE') : undefined;
}
