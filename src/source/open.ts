/**
 * Opens an input: detects its format, reads it transcript by transcript, and can save each of them. Everything else
 * passes through as bytes: all pieces together, if unchanged, are the input.
 */
import type { Format, ScanHint } from '../formats/format.js';
import { formatNamed } from '../formats/index.js';
import {
  type Elsewhere,
  type Passing,
  partRows,
  type Read,
  type RowEvent,
  type RowOptions,
  rows,
} from '../json/rows.js';
import { openBundle } from './containers/bundle.js';
import { openRecords } from './containers/record.js';
import { openRows } from './containers/row.js';
import type { Detection, DetectOptions } from './detect/detection.js';
import { parseMessagePath } from './message-paths.js';
import type { MakeLogTable, MakeTable, Part, Piece } from './piece.js';
import { readBack } from './read-back.js';
import { detectAhead, recordsIn, type Sample } from './sample.js';

export interface OpenOptions extends DetectOptions, Pick<RowOptions, 'skipBadLines' | 'chunk' | 'size'> {
  /**
   * Called before the memory of a piece is reused: a piece is valid until the next one. Without it, pieces may be kept.
   */
  readonly onReuse?: (() => void) | undefined;
  /** Lines without this hint pass through unread and unchecked. Of a log, they are not kept either. */
  readonly onlyWith?: ScanHint | undefined;
  /** @internal Makes the messages of records rows of a table. */
  readonly tables?: MakeTable | undefined;
  /** @internal Reads lines of records elsewhere, once it was told what they are. */
  readonly elsewhere?: (Elsewhere & { begin(detection: Detection): void }) | undefined;
  /** @internal The same for logs. */
  readonly logTables?: MakeLogTable | undefined;
}

/** Throws TranscriptError: no JSON, no transcript, or a message that cannot be read. */
export function* open(read: Read, options: OpenOptions = {}): Generator<Piece, void, void> {
  const { onReuse, onlyWith, skipBadLines, chunk, size, elsewhere } = options;
  let isTransient = false;
  const reuse = onReuse && { isOn: () => isTransient, settle: onReuse };
  const passing: Passing | undefined = onlyWith === undefined ? undefined : { marks: undefined };
  const counted = { lines: 0 };
  const events = counting(
    rows(read, { skipBadLines, chunk, size, reuse, elsewhere, ...(passing === undefined ? {} : { passing }) }),
    counted,
  );
  const sample: Sample = { events: [], isAll: false, failure: undefined };
  const detection = detectAhead(events, sample, { ...options, readsOn: onlyWith !== 'usage' });
  yield { type: 'detected', detection };

  const { container, format } = detection;
  if (passing !== undefined) passing.marks = marksOf(detection, onlyWith!);
  const isAlone = recordsIn(sample.events).length === 1;
  const isShort = sample.isAll && (isAlone || container === 'bundle' || container === 'rows');
  const checked = (pieces: Iterable<Piece>) => (isShort ? readingBack(pieces, format, options) : pieces);
  if (container === 'rows') {
    const logTables = sample.isAll ? undefined : options.logTables;
    yield* checked(openRows(chain(sample.events, events), format, { isOne: isAlone, logTables }));
  } else if (container === 'bundle') yield* checked(openBundle(chain(sample.events, events), format));
  else {
    const keepsCut = skipBadLines === true || skipBadLines === 'whole-lines';
    const own = isAlone ? detection : { ...detection, isFound: false }; // the other records still identify the list
    const { tables } = options;
    yield* checked(openRecords(sample.events, own, { keepsCut, tables: isShort ? undefined : tables }));
    isTransient = true;
    elsewhere?.begin(own);
    yield* openRecords(events, own, { keepsCut, tables });
  }
  if (sample.failure !== undefined) throw sample.failure;
  yield { type: 'end', lines: counted.lines };
}

function* counting(events: Iterable<RowEvent>, counted: { lines: number }): Generator<RowEvent, void, void> {
  for (const event of events) {
    if (event.type === 'record' || event.type === 'bad' || event.type === 'cut') counted.lines++;
    else if (event.type === 'passed') counted.lines += event.part?.records ?? 0;
    yield event;
  }
}

/** Opens lines in the middle of an input as `open` opens them after its beginning. */
export function* openPart(
  read: Read,
  { line, format, path }: Part,
  options: OpenOptions,
): Generator<Piece, void, void> {
  const { onReuse, onlyWith, skipBadLines, tables } = options;
  const container = path === undefined ? 'envelope' : { ...parseMessagePath(path[0]), label: path[1] };
  const detection: Detection = { format: formatNamed(format), container, confidence: 1, why: '', isFound: false };
  const passing: Passing | undefined = onlyWith === undefined ? undefined : { marks: marksOf(detection, onlyWith) };
  const reuse = onReuse && { isOn: () => true, settle: onReuse, buffers };
  const counted = { lines: 0 };
  const events = partRows(read, line, { skipBadLines, reuse, ...(passing && { passing }) });
  yield { type: 'detected', detection };
  yield* openRecords(counting(events, counted), detection, { keepsCut: skipBadLines !== false, tables });
  if (passing?.isMixed) throw new Error('lines that must be read in one go');
  yield { type: 'end', lines: counted.lines };
}

const buffers: Buffer[] = [];

/** Records hold whole transcripts, so they are scanned for calls; the lines of a log can only be scanned for usage. */
function marksOf({ container, format }: Detection, hint: ScanHint): Buffer[] | undefined {
  if ((container === 'rows') !== (hint === 'usage')) return undefined;
  return format.byteHints?.[hint]?.map((mark) => Buffer.from(mark));
}

/**
 * Checks that the result of a short file can be read again. A format or a path that a user names applies to the next
 * run too.
 */
function* readingBack(pieces: Iterable<Piece>, { id }: Format, options: OpenOptions): Generator<Piece, void, void> {
  const { from, messages, skipBadLines, formats, receiver } = options;
  const isNamed = from !== undefined || messages !== undefined;
  const readAgain = (read: Read) => Array.from(open(read, { skipBadLines, receiver, ...(formats && { formats }) }));
  for (const piece of pieces) yield piece.type === 'opened' && !isNamed ? readBack(piece, id, readAgain) : piece;
}

function* chain(first: readonly RowEvent[], rest: Iterable<RowEvent>): Generator<RowEvent, void, void> {
  yield* first;
  yield* rest;
}
