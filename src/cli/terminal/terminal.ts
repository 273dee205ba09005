/** The outside world of commands. cli.ts creates the real one; tests and programs create their own. */
import type { Sink } from '../../json/print.js';
import type { Read } from '../../json/rows.js';
import type { SafeText } from '../../safe/text.js';
import type { ParquetForm } from '../../source/parquet/read.js';
import type { Part } from '../../source/piece.js';

/** The width if the output is not a terminal. */
export const USUAL_WIDTH = 80;

export interface Stream {
  readonly isTerminal: boolean;
  /** In columns. */
  readonly columns: number;
  /** Output for people, and reports. */
  write(text: SafeText): void;
  /** Output of transcripts, as bytes. */
  data(bytes: Uint8Array): void;
}

/** A program that shows output page by page. */
export interface Pager {
  /** Waits until the reader takes more. Throws ClosedPipe once they quit. */
  write(text: SafeText): Promise<void>;
  /** Waits until the reader has finished. */
  close(): Promise<void>;
}

/** Lines of an input with this name. */
export interface ServedPart extends Part {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TakenPart {
  /** How many values it has. */
  readonly records: number;
  /** What the command makes of it, besides its output: structured data. */
  readonly data?: unknown;
}

/** What a run knows of Parquet. */
export interface ParquetMemory {
  /** Those of the files that it read: a new file gets one of them, if its rows fit. */
  readonly forms: ParquetForm[];
  /** The compressions of which it said that they are not written. */
  readonly told: Set<string>;
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Read;
  readonly stdinIsTerminal: boolean;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Shows output page by page; undefined where the environment wants none. Only for a terminal. */
  openPager?(): Promise<Pager | undefined>;
  /** In a worker thread: takes parts of inputs, in place of the inputs. `take` must say nothing if all is well. */
  serve?(take: (part: ServedPart, sink: Sink) => TakenPart): 0;
  readonly parquet?: ParquetMemory;
  /** Milliseconds since 1970, for messages about the age of something; by default the clock's. */
  readonly now?: number;
}

/** The time for messages. Output must not depend on it. */
export function timeOf({ now, env }: Terminal): Date {
  // https://reproducible-builds.org/specs/source-date-epoch/
  const fixed = Number(env['SOURCE_DATE_EPOCH'] || Number.NaN) * 1000;
  return new Date(now ?? (Number.isFinite(fixed) ? fixed : Date.now()));
}

/** Whether to use colors: by the flag, else FORCE_COLOR, NO_COLOR, TERM=dumb, else if the stream is a terminal. */
export function takesColor(stream: Stream, env: Terminal['env'], flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return stream.isTerminal;
}
