/** What every command that reads transcripts shares: the walk over its inputs. */
import { relative, resolve, sep } from 'node:path';
import { describeError, isTranscriptError, TranscriptError } from '../errors.js';
import { expandInputs, type NamedInput } from '../io/files.js';
import { type Input, openInput, shownName } from '../io/input.js';
import { keepYoungSpaceSmall } from '../io/memory.js';
import { createProgress } from '../io/progress.js';
import type { Terminal } from '../io/terminal.js';
import { safe, shown } from '../safe/text.js';
import type { Detection } from '../source/detect.js';
import { type OpenOptions, open, type Piece } from '../source/open.js';
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

/**
 * Runs `visit` on every input. An input that cannot be read is reported and the others go on; of a folder's files, those that
 * are no transcripts are passed over, unless none is one. Returns whether all went well. `isSilent`: nothing is written until the end,
 * so there is room to show how far it is. `failed` hears of every input that cannot be read, after it was reported.
 */
export async function forEachInput(
  words: readonly string[],
  terminal: Terminal,
  visit: (input: Input) => void | Promise<void>,
  isSilent = false,
  failed?: (file: string, error: unknown) => void,
): Promise<boolean> {
  const fail = (file: string, error: unknown) => {
    sayError(terminal, error, file);
    failed?.(file, error);
  };
  let inputs: readonly NamedInput[];
  try {
    inputs = await expandInputs(words, terminal.cwd);
  } catch (error) {
    fail('', error);
    return false;
  }
  let good = true;
  const folders = new Map<string, number>();
  const progress = createProgress(isSilent ? inputs.length : 0, safe`files`, terminal);
  for (const [index, { name, folder }] of inputs.entries()) {
    progress.at(index);
    if (folder !== undefined && !folders.has(folder)) folders.set(folder, 0);
    try {
      const input = await openInput(name, terminal);
      try {
        await visit(input);
      } finally {
        input.close();
      }
      if (folder !== undefined) folders.set(folder, folders.get(folder)! + 1);
    } catch (error) {
      progress.clear();
      if (folder !== undefined && isTranscriptError(error) && error.code === 'format') {
        say(terminal, `ctx-trim: ${name}: passed over: ${error.message}`);
        continue;
      }
      if (folder !== undefined) folders.set(folder, folders.get(folder)! + 1);
      fail(name, error);
      good = false;
      if (isTranscriptError(error) && error.code === 'defect') break; // nothing more is written behind what is not
    }
  }
  progress.clear();
  for (const [folder, transcripts] of folders) {
    if (transcripts > 0) continue;
    fail(folder, new TranscriptError('file', 'no file in this folder or below it is a transcript'));
    good = false;
  }
  return good;
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
