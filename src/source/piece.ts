/** What an input consists of once it is opened: transcripts, and everything else as bytes. */
import type { Description, Format } from '../formats/format.js';
import type { JsonNode } from '../json/node.js';
import type { Sink } from '../json/print.js';
import type { ReadPart, RowEvent, Span } from '../json/rows.js';
import type { MessageTable, RowChanges } from '../transcript/table.js';
import type { Message, Traits, Transcript } from '../transcript/types.js';
import type { Detection } from './detect/detection.js';
import type { Site } from './message-paths.js';
import type { Positions, Start } from './position.js';

export type Piece =
  | { readonly type: 'detected'; readonly detection: Detection }
  /** Bytes that pass through. `record`: of a value without messages, the value. `part`: see RowEvent. */
  | {
      readonly type: 'passage';
      readonly is: PassageKind;
      readonly span: Span;
      readonly record?: Pick<RecordEvent, 'root' | 'line'>;
      readonly part?: ReadPart;
    }
  /** `bad`: what is wrong with a line that is no JSON. */
  | { readonly type: 'warning'; readonly line: number; readonly message: string; readonly bad?: string }
  /** The last piece: how many values the input has, bad lines included. */
  | { readonly type: 'end'; readonly lines: number }
  | Opened;

/**
 * `list`, `lines`: what comes before the first value of an array, or of lines; `gap`: what comes between values;
 * `value`: one without messages; `close`: what comes after the last value.
 */
export type PassageKind = 'list' | 'lines' | 'gap' | 'value' | 'bad' | 'cut' | 'passed' | 'close';

/** Lines of an input that another thread reads, and what the beginning of the input told about them. */
export interface Part {
  /** The number of the first line. */
  readonly line: number;
  readonly format: string;
  /** A path to messages, with its label; undefined for `envelope`. */
  readonly path: readonly [path: string, label: string] | undefined;
}

/** A JSON value, or a whole row of them, that holds transcripts. */
export interface Opened {
  readonly type: 'opened';
  readonly line: number;
  readonly transcripts: readonly Transcript[];
  /** The value that holds them; undefined for a row. */
  readonly record?: JsonNode;
  /** The values that the messages were found in. Undefined if each message is a value of its own. */
  readonly roots?: readonly JsonNode[];
  /** Finds the line and column of values of these transcripts. Valid only as long as the piece. */
  positions(): Positions;
  /**
   * Reads the result of `save` with these transcripts. Only for containers that need all transcripts together, such as
   * a trace.
   */
  reopen?(after: readonly Transcript[]): Opened | undefined;
  /** Another piece with what `save` of this one rejects. */
  guarded?(other: Opened): Opened;
  /** Its messages as rows, if they fit. Valid only as long as the piece; reading `transcripts` makes the objects. */
  readonly tabled?: Tabled | undefined;
  /** Prints the container with other transcripts: as many, in the same order. */
  save(sink: Sink, after: readonly Transcript[]): void;
}

/** Undefined where the messages do not fit into a table. */
export type MakeTable = (
  event: RecordEvent,
  format: Format,
  lists: readonly (readonly Site[])[],
  describe: () => Description,
) => Tabled | undefined;

/** Undefined for a format whose logs have no tables. */
export type MakeLogTable = (format: Format) => TabledLog | undefined;

/** The messages of a log as rows, as it is read. */
export interface TabledLog {
  /** Adds the next line; undefined if it is no JSON. Returns whether it fits. */
  add(root: JsonNode | undefined): boolean;
  /** Undefined if the log is more than one conversation. */
  finish(frame: Frame, entries: readonly RowPlace[]): Tabled | undefined;
}

export interface LogOutline {
  /** The number of its lines. */
  readonly length: number;
  /** The messages of the first lines, and all lines without one. */
  sample(most: number): readonly Message[];
  /** Whether usage is recorded: then the model accepted the requests. */
  wasSent(): boolean;
}

/** The bytes around a row's entries: `head` before the first, `tail` after the last. */
export interface Frame {
  readonly head: RowEvent & { readonly type: 'open' };
  readonly tail: Span;
}

/** A value of a row, or bytes that were not read; the bytes before it, and where it begins. */
export interface RowPlace extends Start {
  readonly gap: Span;
  readonly value: JsonNode | Span;
}

/** A record with one transcript, without an object for any of its messages. */
export interface Tabled {
  readonly table: MessageTable;
  describe(): Description;
  traits(): Traits;
  readonly log?: LogOutline;
  /** Reads and writes only the messages that change; undefined if all stay. */
  changed(changes: RowChanges): RowsAfter | undefined;
  /** Prints the record with these rows, or as it is. */
  save(sink: Sink, rows?: RowsAfter): void;
}

export interface RowsAfter {
  readonly fates: RowChanges['fates'];
  /** Print the messages that change, by row. */
  readonly printers: ReadonlyMap<number, (sink: Sink) => void>;
}

export type RecordEvent = RowEvent & { readonly type: 'record' };

/** A value that holds no transcript, as bytes. */
export function passageOf(record: RecordEvent): Piece {
  const { source, start, end } = record.root;
  return { type: 'passage', is: 'value', span: { bytes: source.bytes, start, end }, record };
}

export function warningOf(event: RowEvent & { readonly type: 'bad' | 'cut' }): Piece {
  const { type, line, error } = event;
  const message =
    type === 'cut'
      ? 'the last line is cut off; it is kept as it is'
      : `${error.message}; the line is passed through unchanged`;
  return { type: 'warning', line, message, ...(type === 'bad' ? { bad: error.message } : {}) };
}
