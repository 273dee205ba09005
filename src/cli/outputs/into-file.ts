/** Writes files. Loaded only if needed. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { TranscriptError } from '../../errors.js';
import { layOut } from '../../json/lay-out.js';
import { parse } from '../../json/node.js';
import type { Sink } from '../../json/print.js';
import { createAtomic } from '../files/atomic.js';
import { type Input, type NamedInput, openedAs } from '../files/input.js';
import { BufferedSink } from '../files/output.js';
import { rejectSame, unwritable } from '../files/target.js';
import { forEachInput, inputsIn, namesLines, sayError, type Traversal } from '../inputs/reading.js';
import type { Terminal } from '../terminal/terminal.js';

export { createAtomic } from '../files/atomic.js';
export { rejectBackup, rejectReplacing, rejectStreams } from '../files/target.js';

/** Throws TranscriptError if two of the outputs are one file. */
export function rejectSameFiles(files: readonly string[], { cwd }: Terminal): void {
  rejectSame(files.map((name) => ({ path: resolve(cwd, name), name })));
}

/** Writes a whole file (`-` is stdout), or nothing if `produce` returns false. Returns whether it was written. */
export async function intoFile(
  output: string,
  terminal: Terminal,
  produce: (sink: BufferedSink) => Promise<boolean>,
): Promise<boolean> {
  if (output === '-') return ontoStdout(terminal, produce);
  const path = resolve(terminal.cwd, output);
  const file = createAtomic(path, output, terminal);
  try {
    file.verify();
    if (!(await produce(file.sink))) return false;
    rejectInput(path, output);
    await file.commit();
    return true;
  } catch (error) {
    sayError(terminal, error, output);
    return false;
  } finally {
    file.discard();
  }
}

/** Writes the results of several inputs to one file, as JSON Lines if its name ends in .jsonl. */
export function inputsIntoFile(
  output: string,
  words: readonly string[],
  terminal: Terminal,
  visit: (input: Input, sink: Sink) => void | Promise<void>,
  traversal: Traversal = {},
): Promise<boolean> {
  const find = () => inputsFor(output, words, terminal, traversal);
  return intoFile(output, terminal, (sink) =>
    forEachInput(
      words,
      terminal,
      (input) => {
        if (sink.lastByte >= 0 && sink.lastByte !== 0x0a) sink.text('\n');
        if (!namesLines(output) || namesLines(input.name)) return visit(input, sink);
        return onLines(sink, (document) => visit(input, document));
      },
      { ...traversal, isSilent: traversal.quiet === true || traversal.verbose !== true, find },
    ),
  );
}

/** The inputs of one file, which are several only if it is JSON Lines. */
export async function inputsFor(
  output: string,
  words: readonly string[],
  terminal: Terminal,
  { find }: Pick<Traversal, 'find'> = {},
): Promise<readonly NamedInput[]> {
  const inputs = (await find?.(words)) ?? (await inputsIn(words, terminal));
  if (inputs.length > 1 && !namesLines(output))
    throw new TranscriptError('usage', 'several inputs need a .jsonl file (one line per input), or --write');
  return inputs;
}

/** Writes a JSON document on one line; JSON Lines stay unchanged. */
async function onLines(sink: Sink, write: (document: Sink) => void | Promise<void>): Promise<void> {
  const pieces: Buffer[] = [];
  await write({
    slice: (bytes, start, end) => void pieces.push(Buffer.from(bytes.subarray(start, end))),
    text: (text) => void pieces.push(Buffer.from(text)),
  });
  const text = Buffer.concat(pieces).toString();
  sink.text(documentIn(text) ?? text);
}

function documentIn(text: string): string | undefined {
  try {
    return `${layOut(parse(text), 0)}\n`;
  } catch {
    return undefined;
  }
}

async function ontoStdout(terminal: Terminal, produce: (sink: BufferedSink) => Promise<boolean>): Promise<boolean> {
  const sink = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
  try {
    return await produce(sink);
  } finally {
    sink.flush();
  }
}

/** An output file must not be one of the inputs. */
export function rejectInput(path: string, name: string): void {
  const input = openedAs(path);
  if (input !== undefined && isSame(input, path))
    throw unwritable(name, 'it is one of the inputs; use --write to rewrite in place');
}

/** An input that was removed meanwhile may have left its inode to another file. */
function isSame(input: string, path: string): boolean {
  try {
    return realpathSync(input) === realpathSync(path);
  } catch {
    return false;
  }
}
