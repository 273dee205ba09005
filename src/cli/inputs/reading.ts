/** Reads the inputs of a command one after the other. */
import { relative, resolve, sep } from 'node:path';
import { describeError, isTranscriptError, TranscriptError } from '../../errors.js';
import type { Read } from '../../json/rows.js';
import { safe, shown } from '../../safe/text.js';
import type { Detection } from '../../source/detect/detection.js';
import { type OpenOptions, open, openPart } from '../../source/open.js';
import type { Opened, Piece } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import { type Input, isPattern, type NamedInput, plainInputs, shownName } from '../files/input.js';
import { statsAt } from '../files/stats-at.js';
import type { ReadingOptions } from '../options/options.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import type { Terminal } from '../terminal/terminal.js';
import { LineReader } from './line-reader.js';
import { openCounted } from './long-run.js';
import { sparing } from './memory.js';
import { type OmissionsCollector, watchFigures, watchRewrite } from './omissions.js';
import type { DonePart, Threads } from './threads.js';
import { usageTaker } from './usage-file.js';

/** A path for programs: with slashes, and relative to the working directory if it is below it. */
export function portable(file: string, cwd: string): string {
  const path = relative(cwd, resolve(cwd, file));
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/** Whether a file by this name has a record on each line; so do the rows of Parquet, as we read them. */
export function namesLines(name: string | undefined): boolean {
  return name !== undefined && /\.(?:(?:jsonl|ndjson)(?:\.(?:gz|zst))?|parquet)$/i.test(name);
}

/** Prints a line on stderr. Control characters are escaped. */
export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(safe`${shown(text)}\n`);
}

/** Reports an error of one input. Rethrows internal errors. */
export function sayError(terminal: Terminal, error: unknown, file: string): void {
  const told = isOutOfMemory(error) ? new TranscriptError('file', NO_MEMORY) : error;
  if (!isTranscriptError(told)) throw error;
  say(terminal, `ctx-trim: ${describeError(told.at({ file: shownName(file) }))}`);
}

const NO_MEMORY = 'there is not enough memory for this input; see `ulimit -a`';

/** V8 says in no other way that it was given no memory for a buffer. */
const isOutOfMemory = (error: unknown) =>
  error instanceof RangeError && error.message === 'Array buffer allocation failed';

export interface Traversal {
  /** Nothing is printed until the end, so a progress bar can be shown. */
  readonly isSilent?: boolean;
  readonly verbose?: boolean | undefined;
  /** Do not report skipped files. */
  readonly quiet?: boolean | undefined;
  /** Called before an input is opened. Returns whether it was dealt with: then it is not opened. */
  readonly isKnown?: ((input: NamedInput) => boolean) | undefined;
  /** Called for every input that cannot be read, after it was reported. */
  readonly failed?: ((file: string, error: unknown) => void) | undefined;
  /** Finds the inputs, if the command has its own selection. */
  readonly find?: ((words: readonly string[]) => Promise<readonly NamedInput[]>) | undefined;
}

/**
 * Runs `visit` on every input. Reports inputs that cannot be read and goes on. Skips files of a folder or a glob that
 * are no transcripts, unless none is one. Returns whether all inputs could be read.
 */
export async function forEachInput(
  words: readonly string[],
  terminal: Terminal,
  visit: (input: Input) => void | Promise<void>,
  { isSilent = false, verbose, quiet, isKnown, failed, find }: Traversal,
): Promise<boolean> {
  const fail = (file: string, error: unknown) => {
    sayError(terminal, error, file);
    failed?.(file, error);
  };
  let inputs: readonly NamedInput[];
  try {
    inputs = (await find?.(words)) ?? (await inputsIn(words, terminal));
  } catch (error) {
    fail('', error);
    return false;
  }
  let good = true;
  const folders = new Map<string, number>();
  const skipped: (readonly [name: string, why: string])[] = [];
  const progress = isSilent && terminal.stderr.isTerminal ? progressOf(inputs, terminal) : undefined;
  const wasRead = (folder: string | undefined) => {
    if (folder !== undefined) folders.set(folder, folders.get(folder)! + 1);
  };
  for (const [index, named] of inputs.entries()) {
    const { name, folder } = named;
    progress?.at(index);
    if (folder !== undefined && !folders.has(folder)) folders.set(folder, 0);
    if (isKnown?.(named)) {
      wasRead(folder);
      continue;
    }
    try {
      const input = await openCounted(named, terminal);
      try {
        await visit(progress === undefined ? input : watched(input, progress));
      } finally {
        input.close();
      }
      wasRead(folder);
    } catch (error) {
      const isFound = folder !== undefined || named.isOptional === true;
      if (isFound && isTranscriptError(error) && error.code === 'format') {
        skipped.push([name, error.message]);
        continue;
      }
      progress?.clear();
      wasRead(folder);
      fail(name, error);
      good = false;
      if (isTranscriptError(error) && error.code === 'defect') break; // invalid output must not be followed by more
    }
  }
  progress?.clear();
  if (skipped.length > 0 && quiet !== true)
    for (const text of (await import('./found-files.js')).skippedTexts(skipped, verbose)) say(terminal, text);
  for (const [folder, transcripts] of folders) {
    if (transcripts > 0) continue;
    const where = isPattern(folder) ? 'no transcripts match this pattern' : 'no transcripts in this folder';
    fail(folder, new TranscriptError('file', where));
    good = false;
  }
  return good;
}

/** Progress by bytes if the sizes of all inputs are known, which those of pipes are not. */
function progressOf(inputs: readonly NamedInput[], terminal: Terminal): Progress {
  const sizes = inputs.map(({ name }) => sizeOf(resolve(terminal.cwd, name)));
  const bytes = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
  return createProgress({ items: inputs.length, what: 'file', bytes }, terminal);
}

function sizeOf(path: string): number | undefined {
  const stats = statsAt(path);
  return stats?.isFile() ? stats.size : undefined;
}

/** The same input, whose reader reports what it reads. */
function watched(input: Input, progress: Progress): Input {
  let before = 0;
  const watch = (read: Read): Read => {
    return (buffer, at, length) => {
      const got = read(buffer, at, length);
      if (got === 0) {
        progress.clear(); // what is said of the input comes now
        return got;
      }
      const all = input.taken?.() ?? before + got;
      progress.read(all - before);
      before = all;
      return got;
    };
  };
  const { read, reread } = input;
  return { ...input, read: watch(read), reread: reread && watch(reread) };
}

/** The files that arguments name. */
export async function inputsIn(words: readonly string[], terminal: Terminal): Promise<readonly NamedInput[]> {
  return plainInputs(words, terminal.cwd) ?? (await import('./found-files.js')).expandInputs(words, terminal);
}

export interface PieceOptions extends Pick<OpenOptions, 'onReuse' | 'onlyWith' | 'tables' | 'logTables'> {
  /** Called after a warning about the input. */
  readonly warned?: (() => void) | undefined;
  /** Lines that are no JSON are left out. */
  readonly dropsBadLines?: boolean;
  readonly detected?: ((detection: Detection) => void) | undefined;
  /** Takes what the searched part of an input holds in no message, and its bad lines. */
  readonly missing?: OmissionsCollector['add'] | undefined;
  /** Takes what was not read. For figures, lines that are no JSON do not end the reading. */
  readonly omissions?: OmissionsCollector | undefined;
  /** Other threads that read lines of the input, and what takes these. */
  readonly threads?: Helping | undefined;
}

export interface Helping {
  readonly threads: Threads;
  /** Whether parts can be taken already. */
  mayBegin?(): boolean;
  /** A part comes in the order of the input. Its output is valid only now. */
  take(part: DonePart): void;
}

/**
 * Opens the transcripts of an input. Warnings, what no message holds and, with `--verbose`, the detected format go to
 * stderr. Throws TranscriptError for an input that holds texts, but not one message.
 */
export function* openPieces(
  input: Input,
  options: ReadingOptions,
  terminal: Terminal,
  { warned, detected, dropsBadLines, missing, omissions, threads: helping, ...opening }: PieceOptions = {},
): Generator<Exclude<Piece, { type: 'warning' } | { type: 'detected' } | { type: 'end' }>, Detection, void> {
  const name = shownName(input.name);
  const isVerbose = options.verbose === true;
  const fate = dropsBadLines === true ? 'dropped' : undefined;
  const isPart = input.part !== undefined;
  const watch =
    omissions === undefined
      ? watchRewrite(name, isVerbose, fate, missing, isPart)
      : watchFigures(name, omissions, isPart);
  let detection: Detection | undefined;
  input.allowance?.raise(options.maxUnpacked);
  const skipBadLines = options.skipBadLines === true || (omissions?.countsBadLines === true ? 'whole-lines' : false);
  const elsewhere =
    helping && new LineReader(input, helping.threads, () => watch.isSettled() && helping.mayBegin?.() !== false);
  const size = input.fileBytes?.length;
  const opened: OpenOptions = { ...openOptions(options), skipBadLines, size, ...opening, elsewhere };
  const { read, next } = sparing(elsewhere?.read ?? input.read);
  for (const piece of input.part === undefined ? open(read, opened) : openPart(read, input.part, opened)) {
    next();
    if (piece.type === 'warning') {
      warned?.();
      const message = fate === undefined ? piece.message : `${piece.bad}; the line is ${fate}`;
      if (!watch.warning(piece) || isVerbose) say(terminal, `ctx-trim: ${name}:${piece.line}: warning: ${message}`);
    } else if (piece.type === 'detected') {
      detection = piece.detection;
      detected?.(detection);
      if (isVerbose) say(terminal, `ctx-trim: ${name}: ${describeDetection(piece.detection)}`);
    } else if (piece.type === 'end') {
      const texts = watch.end(piece.lines, detection!);
      if (texts.length > 0) warned?.();
      for (const text of texts) say(terminal, `ctx-trim: ${name}: ${text}`);
      input.ended?.(piece.lines);
      const why = elsewhere?.whyAlone(detection!);
      if (why !== undefined) say(terminal, `ctx-trim: ${name}: --threads has no effect: ${why}`);
    } else if (piece.type === 'passage' && piece.part !== undefined) {
      helping!.take(piece.part as DonePart);
    } else {
      if (opening.onlyWith === undefined) watch.piece(piece, detection!);
      yield piece;
    }
  }
  return detection!;
}

export interface PlacedTranscript {
  readonly transcript: Transcript;
  /** Where it begins. `file`: as the user named it. */
  readonly place: { readonly file: string; readonly line: number };
  /** The record that holds it. */
  readonly piece: Opened;
}

/** The transcripts of an input, as `openPieces` opens them. */
export function* openTranscripts(...[input, options, terminal, more]: Parameters<typeof openPieces>) {
  const file = shownName(input.name);
  const pieces = openPieces(input, options, terminal, more);
  const withUsage = usageTaker(input.path, (text) => say(terminal, `ctx-trim: warning: ${text}`));
  let next = pieces.next();
  for (; !next.done; next = pieces.next()) {
    const piece = next.value;
    if (piece.type !== 'opened') continue;
    const place = { file, line: piece.line };
    for (const transcript of piece.transcripts)
      yield { transcript: withUsage(transcript), place, piece } satisfies PlacedTranscript;
  }
  return next.value;
}

export interface TranscriptReading extends Traversal, PieceOptions {
  readonly options: ReadingOptions & Pick<Traversal, 'verbose' | 'quiet'>;
}

/** Visits every transcript of every input. Returns whether all inputs could be read. */
export function forEachTranscript(
  words: readonly string[],
  terminal: Terminal,
  { options, ...reading }: TranscriptReading,
  visit: (placed: PlacedTranscript) => void,
): Promise<boolean> {
  const take = (input: Input) => {
    for (const placed of openTranscripts(input, options, terminal, reading)) visit(placed);
  };
  return forEachInput(words, terminal, take, { failed: reading.omissions?.failed, ...options, ...reading });
}

export function openOptions({ from, messages, skipBadLines, receiver }: ReadingOptions): OpenOptions {
  return { from, messages, receiver, skipBadLines: skipBadLines === true };
}

function describeDetection({ format, confidence, why, rival }: Detection): string {
  const doubt = rival === undefined ? '' : `; it could also be ${rival} (use --from ${rival})`;
  return `detected ${format.id} (${Math.round(confidence * 100)} %): ${why}${doubt}`;
}
