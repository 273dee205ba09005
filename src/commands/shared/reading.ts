/** What every command that reads transcripts shares: the walk over its inputs. */
import { relative, resolve, sep } from 'node:path';
import { describeError, isTranscriptError, TranscriptError } from '../../errors.js';
import { type Input, isPattern, type NamedInput, openInput, plainInputs, shownName } from '../../io/input.js';
import { keepYoungSpaceSmall } from '../../io/memory.js';
import { createProgress } from '../../io/progress.js';
import type { Terminal } from '../../io/terminal.js';
import { safe, shown } from '../../safe/text.js';
import type { Detection } from '../../source/detect/detection.js';
import { type OpenOptions, open } from '../../source/open.js';
import type { Piece } from '../../source/piece.js';
import type { ReadingOptions } from './options.js';

/** A path as programs compare it: relative to the working directory where it is below that, with slashes. */
export function portable(file: string, cwd: string): string {
  const path = relative(cwd, resolve(cwd, file));
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/** Whether a file's name says that it holds JSON Lines. */
export function namesLines(name: string | undefined): boolean {
  return name !== undefined && /\.(?:jsonl|ndjson)$/i.test(name);
}

/** Says something on stderr, a line each, whatever of others it quotes. */
export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(safe`${shown(text)}\n`);
}

/** Says what went wrong with one input. Throws on what is a defect of ours. */
export function sayError(terminal: Terminal, error: unknown, file: string): void {
  if (!isTranscriptError(error)) throw error;
  say(terminal, `ctx-trim: ${describeError(error.at({ file: shownName(file) }))}`);
}

export interface Walk {
  /** Nothing is written until the end, so there is room to show how far it is. */
  readonly isSilent?: boolean;
  readonly verbose?: boolean | undefined;
  /** Nothing is said of what is passed over. */
  readonly quiet?: boolean | undefined;
  /** Hears of every input that cannot be read, after it was reported. */
  readonly failed?: (file: string, error: unknown) => void;
  /** What the words name, where that is not for all commands the same. */
  readonly find?: ((words: readonly string[]) => Promise<readonly NamedInput[]>) | undefined;
}

/**
 * Runs `visit` on every input. An input that cannot be read is reported and the others go on; of the files of a folder or a pattern, those that
 * are no transcripts are passed over, unless none is one. Returns whether all went well.
 */
export async function forEachInput(
  words: readonly string[],
  terminal: Terminal,
  visit: (input: Input) => void | Promise<void>,
  { isSilent = false, verbose, quiet, failed, find }: Walk,
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
  const passed: (readonly [name: string, why: string])[] = [];
  const progress = createProgress(isSilent ? inputs.length : 0, safe`files`, terminal);
  for (const [index, named] of inputs.entries()) {
    const { name, folder } = named;
    progress.at(index);
    if (folder !== undefined && !folders.has(folder)) folders.set(folder, 0);
    try {
      const input = await openInput(named, terminal);
      try {
        await visit(input);
      } finally {
        input.close();
      }
      if (folder !== undefined) folders.set(folder, folders.get(folder)! + 1);
    } catch (error) {
      const isFound = folder !== undefined || named.isOptional === true;
      if (isFound && isTranscriptError(error) && error.code === 'format') {
        passed.push([name, error.message]);
        continue;
      }
      progress.clear();
      if (folder !== undefined) folders.set(folder, folders.get(folder)! + 1);
      fail(name, error);
      good = false;
      if (isTranscriptError(error) && error.code === 'defect') break; // nothing more is written behind what is not
    }
  }
  progress.clear();
  if (passed.length > 0 && quiet !== true)
    for (const text of (await import('./found-files.js')).passedOverTexts(passed, verbose)) say(terminal, text);
  for (const [folder, transcripts] of folders) {
    if (transcripts > 0) continue;
    const where = isPattern(folder) ? 'that matches this pattern' : 'in this folder or below it';
    fail(folder, new TranscriptError('file', `no file ${where} is a transcript`));
    good = false;
  }
  return good;
}

/** The files that words name. */
export async function inputsIn(words: readonly string[], { cwd }: Terminal): Promise<readonly NamedInput[]> {
  return plainInputs(words, cwd) ?? (await import('./found-files.js')).expandInputs(words, cwd);
}

/** So many pieces are a long run of short ones. */
const MANY = 200;

/** Opens an input's transcripts; warnings, and under `--verbose` what was taken for what, go to stderr. */
export function* openPieces(
  input: Input,
  options: ReadingOptions,
  terminal: Terminal,
  onReuse?: () => void,
  onlyWith?: OpenOptions['onlyWith'],
): Generator<Exclude<Piece, { type: 'warning' } | { type: 'detected' }>, Detection, void> {
  const name = shownName(input.name);
  let detection: Detection | undefined;
  let passed = 0;
  let pieces = 0;
  input.allowance?.raise(options.maxUnpacked);
  for (const piece of open(input.read, { ...openOptions(options), onReuse, onlyWith })) {
    if (++pieces === MANY) keepYoungSpaceSmall();
    if (piece.type === 'warning') {
      if (piece.isBadLine) passed++;
      say(terminal, `ctx-trim: ${name}:${piece.line}: warning: ${piece.message}`);
    } else if (piece.type === 'detected') {
      detection = piece.detection;
      if (options.verbose) say(terminal, `ctx-trim: ${name}: ${describeDetection(piece.detection)}`);
    } else yield piece;
  }
  if (passed > 0) say(terminal, `ctx-trim: ${name}: ${passed} bad ${passed === 1 ? 'line' : 'lines'} passed through`);
  return detection!;
}

export function openOptions({ from, messages, skipBadLines }: ReadingOptions): OpenOptions {
  return { from, messages, skipBadLines: skipBadLines === true };
}

function describeDetection({ format, confidence, why, rival }: Detection): string {
  const doubt = rival === undefined ? '' : `; it could also be ${rival}, --from ${rival} takes it so`;
  return `taken for ${format.id} (${Math.round(confidence * 100)} %): ${why}${doubt}`;
}
