/** What a piece becomes, as the next run reads it. */
import { isTranscriptError } from '../errors.js';
import { partRows, type RowEvent, rows } from '../json/rows.js';
import type { Transcript } from '../transcript/types.js';
import { openBundle } from './containers/bundle.js';
import { openRecords } from './containers/record.js';
import { openRows } from './containers/row.js';
import type { Detection } from './detect/detection.js';
import type { Opened, Piece } from './piece.js';
import { into, readerOver } from './read-back.js';

/** Opens the result of `save` with these transcripts. Undefined where it cannot be saved, or holds none. */
export function reopened(piece: Opened, after: readonly Transcript[], detection: Detection): Opened | undefined {
  const chunks: Buffer[] = [];
  try {
    piece.save(into(chunks), after);
    for (const one of piecesIn(Buffer.concat(chunks), piece, detection))
      if (one.type === 'opened') return piece.guarded?.(one) ?? one;
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
  }
  return undefined;
}

function piecesIn(bytes: Buffer, { line, record, positions }: Opened, detection: Detection): Iterable<Piece> {
  const { container, format } = detection;
  const read = readerOver(bytes);
  if (container !== 'rows' && container !== 'bundle') {
    const columnsBefore = (record === undefined ? 1 : (positions()(record)?.column ?? 1)) - 1;
    const events = placed(partRows(read, 1, { skipBadLines: true }), line, columnsBefore);
    return openRecords(events, { ...detection, isFound: false }, { keepsCut: true, tables: undefined });
  }
  const events = placed(rows(read, { skipBadLines: true }), line, 0);
  if (container === 'bundle') return openBundle(events, format);
  const isOne = events.filter(({ type }) => type === 'record').length === 1;
  return openRows(events, format, { isOne, logTables: undefined });
}

/** The events of bytes that begin at this line of a file, behind so many columns of it. */
function placed(events: Iterable<RowEvent>, line: number, columnsBefore: number): RowEvent[] {
  return Array.from(events, (event) => {
    if (!('line' in event)) return event;
    const columns =
      event.type === 'record' ? { columnsBefore: event.columnsBefore + (event.line === 1 ? columnsBefore : 0) } : {};
    return { ...event, line: event.line + line - 1, ...columns };
  });
}
