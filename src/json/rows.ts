/**
 * A file is a row of values: the lines of a JSON Lines file, one JSON document, or the elements of a top-level array, which
 * is read element by element so that a dataset of any size needs the memory of one element. Where the values stand is all
 * that differs; whatever stands between them is kept as bytes.
 */

import { TranscriptError } from '../errors.js';
import type { JsonNode } from './node.js';
import { CHUNK, type Read, type Reuse, type Span, Window } from './window.js';

export type { Read, Span } from './window.js';

/** What a file consists of, in order. All spans and records together are the file, byte for byte. */
export type RowEvent =
  /** A row begins: what stands before its first value (a BOM, space, the bracket of an array). */
  | { readonly type: 'open'; readonly span: Span; readonly array: boolean; readonly line: number }
  /**
   * A value, and what stands between it and the value before it in the same row (nothing before the first). `columnsBefore`: how much of
   * its line, in UTF-16 units, is no longer in its bytes.
   */
  | {
      readonly type: 'record';
      readonly gap: Span;
      readonly root: JsonNode;
      readonly line: number;
      readonly columnsBefore: number;
    }
  /** A line that is no JSON, passed through because the options ask for it. */
  | {
      readonly type: 'bad';
      readonly gap: Span;
      readonly span: Span;
      readonly line: number;
      readonly error: TranscriptError;
    }
  /** Lines that were passed over unread. */
  | { readonly type: 'passed'; readonly gap: Span; readonly span: Span }
  /** The input ends in the middle of its last line. */
  | {
      readonly type: 'cut';
      readonly gap: Span;
      readonly span: Span;
      readonly line: number;
      readonly error: TranscriptError;
    }
  /** The row ends: what stands behind its last value. */
  | { readonly type: 'close'; readonly span: Span };

export interface RowOptions {
  /** Lines that are no JSON become `bad` events instead of errors. */
  readonly skipBadLines?: boolean;
  /** How many bytes to read at once. */
  readonly chunk?: number;
  /** Lets memory be used again. Without it, everything yielded may be kept. */
  readonly reuse?: Reuse;
  readonly passing?: Passing;
}

/** While there are marks, lines in which none of them stands are passed over unread: whoever sets them has seen that each value has a line. */
export interface Passing {
  marks: readonly Buffer[] | undefined;
}

const BYTE_MARKS: readonly (readonly [mark: string, name: string])[] = [
  ['\xff\xfe', 'UTF-16'],
  ['\xfe\xff', 'UTF-16'],
  ['\x1f\x8b', 'gzip'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
];

/** Splits an input into its rows of values. Throws TranscriptError with line and column where it is no JSON. */
export function* rows(read: Read, options: RowOptions = {}): Generator<RowEvent, void, void> {
  const input = new Window(read, options.chunk ?? CHUNK, options.reuse);
  while (input.limit < 4 && !input.ended) input.fill();
  rejectForeign(input);
  if (input.bytes[0] === 0xef && input.bytes[1] === 0xbb && input.bytes[2] === 0xbf) input.pos = 3;
  input.toValue();
  if (input.atEnd)
    throw new TranscriptError(
      'json',
      input.limit === 0 ? 'the input is empty' : 'the input holds nothing but white space',
    );
  while (!input.atEnd) {
    if (input.bytes[input.pos] === 0x5b) yield* elements(input);
    else yield* lines(input, options.skipBadLines === true, options.passing);
  }
}

/** A run of top-level values. It begins with one that is no array; an array behind it is a value like the others. */
function* lines(input: Window, skipBadLines: boolean, passing?: Passing): Generator<RowEvent, void, void> {
  yield { type: 'open', span: input.take(), array: false, line: input.line };
  let records = 0;
  let isOneEach = true; // as far as was seen, each value has a line for itself
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
      isOneEach &&=
        root !== undefined &&
        (records === 0 || hasLineBreak(gap)) &&
        !root.source.bytes.subarray(root.start, root.end).includes(0x0a);
    if (root !== undefined) {
      records++;
      yield { type: 'record', gap, root, line, columnsBefore: input.columnsBefore };
    } else {
      const error = input.error();
      if (!skipBadLines && (records === 0 || !input.mayBeCut())) throw error; // what follows may be gigabytes
      const cut = input.restOfLine(error);
      if (input.isCut && records > 0 && cut) yield { type: 'cut', gap, span: input.take(), line, error };
      else if (skipBadLines) yield { type: 'bad', gap, span: input.take(), line, error };
      else throw error;
    }
    input.toValue();
  }
  yield { type: 'close', span: input.take() };
}

function hasLineBreak({ bytes, start, end }: Span): boolean {
  return bytes.subarray(start, end).includes(0x0a);
}

/** A top-level array, element by element. */
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

function rejectForeign({ bytes, limit }: Window): void {
  const head = bytes.latin1Slice(0, Math.min(4, limit));
  const found = BYTE_MARKS.find(([mark]) => head.startsWith(mark));
  if (found === undefined) return;
  const [, name] = found;
  const what =
    name === 'UTF-16'
      ? `the input is UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)`
      : `the input is ${name}, not JSON; unpack it first`;
  throw new TranscriptError('encoding', what, { line: 1, column: 1 });
}
