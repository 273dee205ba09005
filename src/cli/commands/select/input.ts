/** Asks for each record of an input whether it stays. */
import { tabledAt } from '../../../engine/rewrite/tables/by-table.js';
import type { DataRecord } from '../../../engine/select/record.js';
import type { Reason, Selection } from '../../../engine/select/select.js';
import { TranscriptError } from '../../../errors.js';
import type { Opened, Piece } from '../../../source/piece.js';
import { type Input, shownName } from '../../files/input.js';
import type { BufferedSink } from '../../files/output.js';
import { openPieces, say } from '../../inputs/reading.js';
import type { DonePart, Threads } from '../../inputs/threads.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { SelectOptions } from './options.js';
import { addTally, createTally, type Tally } from './tally.js';
import { type RecordWriter, rejectLog } from './writer.js';

export interface Run {
  readonly words: readonly string[];
  readonly options: SelectOptions;
  readonly terminal: Terminal;
  readonly selection: Selection;
  /** Why a record goes. */
  readonly decide: (record: DataRecord) => Reason | undefined;
  readonly tallies: Tally[];
  /** The records of each split. */
  readonly counts: Map<string, number>;
  /** Of the inputs when they were read before: all was said about them then. */
  readonly before?: readonly Tally[];
  readonly threads?: Threads | undefined;
}

export function drops({ skipBadLines }: SelectOptions): boolean {
  return skipBadLines === 'drop';
}

export function selectInto(input: Input, run: Run, writer: RecordWriter, sinks: readonly BufferedSink[]): void {
  if (input.readOnly !== undefined) {
    input.read(Buffer.alloc(1), 0, 1); // errors of the input itself come before this one
    throw new TranscriptError('file', input.readOnly);
  }
  const settle = () => {
    for (const sink of sinks) sink.settle();
  };
  select(input, run, writer, settle, sinks[0]);
}

export function select(
  input: Input,
  run: Run,
  writer: RecordWriter,
  onReuse: () => void = () => {},
  sink?: BufferedSink,
): void {
  const { options, terminal, tallies } = run;
  const file = shownName(input.name);
  const tally = createTally(file);
  const read = unlessEmpty(input);
  if (read === undefined) {
    tallies.push(tally);
    if (run.before === undefined) say(terminal, `ctx-trim: ${file}: empty, so it has no records`);
    return;
  }
  const helping = run.threads && {
    threads: run.threads,
    take({ data, output }: DonePart) {
      addTally(tally, data as Tally);
      sink?.slice(output, 0, output.length);
      onReuse();
    },
  };
  let format = '';
  const reading = { ...options, skipBadLines: options.skipBadLines !== undefined };
  const told = run.before !== undefined ? muted(terminal) : terminal;
  const pieces = openPieces({ ...input, read }, reading, told, {
    ...{ onReuse, tables: tabledAt, dropsBadLines: drops(options), threads: helping },
    missing: (rows) => void (rows && tally.unread.push(rows)),
    detected: (detection) => {
      format = detection.format.id;
    },
  });
  for (const piece of pieces) takePiece(piece, { run, tally, writer, place: { file, format } });
  const expected = run.before?.[tallies.length]?.records ?? tally.records;
  if (expected !== tally.records) throw new TranscriptError('file', 'it changed while it was read');
  tallies.push(tally);
}

interface Taking {
  readonly run: Run;
  readonly tally: Tally;
  readonly writer: RecordWriter;
  readonly place: Pick<DataRecord, 'file' | 'format'>;
}

function takePiece(piece: Extract<Piece, { type: 'opened' | 'passage' }>, { run, tally, writer, place }: Taking): void {
  if (piece.type === 'passage' && (piece.is === 'bad' || piece.is === 'cut')) {
    tally.badLines++;
    if (drops(run.options)) writer.drop();
    else writer.keep(piece, undefined);
    return;
  }
  if (piece.type === 'passage' && piece.record === undefined) {
    writer.between(piece.is, piece.span);
    return;
  }
  if (piece.type === 'opened' && isEmptyArray(piece)) {
    writer.empty(piece);
    return;
  }
  const opened = piece.type === 'opened' ? piece : undefined;
  const value = piece.type === 'opened' ? undefined : piece.record!.root;
  const record: DataRecord = { ...place, piece: opened, value };
  const reason = run.decide(record);
  tally.records++;
  if (reason !== undefined) {
    tally.dropped.set(reason, (tally.dropped.get(reason) ?? 0) + 1);
    writer.drop();
    return;
  }
  tally.kept++;
  const split = run.selection.splitFor(record);
  if (split !== undefined) {
    if (opened !== undefined) rejectLog(opened);
    run.counts.set(split, run.counts.get(split)! + 1);
  }
  writer.keep(opened === undefined ? { value: value! } : { piece: opened }, split);
}

/** An array without elements, which is no log but a dataset without records. */
function isEmptyArray({ roots, transcripts }: Opened): boolean {
  return roots === undefined && transcripts.every(({ messages }) => messages.length === 0);
}

/** The reader of an input; undefined without a byte. */
function unlessEmpty({ read }: Input): Input['read'] | undefined {
  const first = Buffer.alloc(1);
  let left = read(first, 0, 1);
  if (left === 0) return undefined;
  return (buffer, at, length) => {
    if (left === 0 || length === 0) return read(buffer, at, length);
    buffer[at] = first[0]!;
    left = 0;
    return 1;
  };
}

function muted(terminal: Terminal): Terminal {
  const { isTerminal, columns } = terminal.stderr;
  return { ...terminal, stderr: { isTerminal, columns, write() {}, data() {} } };
}
