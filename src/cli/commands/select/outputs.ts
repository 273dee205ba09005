/** Writes the records that stay: to stdout, into a file, a file for each split, or in place. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TranscriptError } from '../../../errors.js';
import { safe, shown } from '../../../safe/text.js';
import type { Input } from '../../files/input.js';
import { forEachInput, namesLines, sayError, type Traversal } from '../../inputs/reading.js';
import { serveParts } from '../../inputs/threads.js';
import { createAtomic, inputsFor, intoFile, rejectInput, rejectReplacing } from '../../outputs/into-file.js';
import { drops, type Run, select, selectInto } from './input.js';
import { changes } from './tally.js';
import { createLineWriter, createWriter, NO_WRITER } from './writer.js';

type Visit = (input: Input, run: Run) => void | Promise<void>;

export function each(run: Run, visit: Visit, traversal: Traversal): Promise<boolean> {
  const { words, options, terminal, before } = run;
  return forEachInput(words, terminal, (input) => visit(input, run), {
    ...{ verbose: options.verbose, quiet: options.quiet === true || before !== undefined },
    ...traversal,
  });
}

export function write(run: Run): Promise<boolean> {
  const { check, list, write: inPlace, split, output } = run.options;
  if (check === true || list === true) return each(run, listInput, {});
  if (inPlace === true) return each(run, selectInPlace, { isSilent: true });
  if (split !== undefined) return intoFolder(run, output!);
  return output === undefined || output === '-' ? ontoStdout(run) : intoOne(run, output);
}

/** In a worker thread: selects of lines, and tells how many records stay. */
export function selectParts(run: Run): 0 {
  const { check, list, output } = run.options;
  return serveParts(run.terminal, (input, sink) => {
    run.tallies.length = 0;
    const isOther = output !== undefined && namesLines(output) && !namesLines(input.name);
    const writer = isOther ? createLineWriter(() => sink) : createWriter(sink);
    select(input, run, check === true || list === true ? NO_WRITER : writer, () => sink.settle?.());
    return run.tallies[0];
  });
}

function listInput(input: Input, run: Run): void {
  const { options, terminal } = run;
  select(input, run, NO_WRITER);
  const tally = run.tallies.at(-1)!;
  const isListed = options.list === true ? tally.kept > 0 : changes(tally, drops(options));
  const isShown = options.list === true || options.format === 'text';
  if (isListed && isShown) terminal.stdout.write(safe`${shown(tally.file)}\n`);
}

function ontoStdout(run: Run): Promise<boolean> {
  return intoFile('-', run.terminal, (sink) =>
    each(
      run,
      (input) => {
        if (sink.lastByte >= 0 && sink.lastByte !== 0x0a) sink.text('\n'); // the file before has no newline at its end
        try {
          selectInto(input, run, createWriter(sink), [sink]);
        } finally {
          sink.flush();
        }
      },
      {},
    ),
  );
}

function intoOne(run: Run, output: string): Promise<boolean> {
  return intoFile(output, run.terminal, (sink) =>
    each(
      run,
      (input) => {
        if (sink.lastByte >= 0 && sink.lastByte !== 0x0a) sink.text('\n');
        const isOther = namesLines(output) && !namesLines(input.name);
        selectInto(input, run, isOther ? createLineWriter(() => sink) : createWriter(sink), [sink]);
      },
      { isSilent: true, find: (words) => inputsFor(output, words, run.terminal) },
    ),
  );
}

async function intoFolder(run: Run, output: string): Promise<boolean> {
  const { terminal, selection, counts } = run;
  const folder = resolve(terminal.cwd, output);
  const files = selection.splits.map(({ name }) => {
    const shownPath = join(output, `${name}.jsonl`);
    return { name, shownPath, path: join(folder, `${name}.jsonl`) };
  });
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new TranscriptError('file', `cannot make the folder: ${(error as Error).message}`, { file: output });
  }
  const atomics = files.map(({ path, shownPath }) => createAtomic(path, shownPath, terminal));
  const sinks = new Map(files.map(({ name }, index) => [name, atomics[index]!.sink]));
  try {
    for (const file of atomics) file.verify();
    for (const { name } of files) counts.set(name, 0);
    const writer = createLineWriter((split) => sinks.get(split!)!);
    const good = await each(run, (input) => selectInto(input, run, writer, [...sinks.values()]), { isSilent: true });
    if (!good) return false;
    for (const { path, shownPath } of files) rejectInput(path, shownPath);
    for (const file of atomics) await file.commit();
    return true;
  } catch (error) {
    sayError(terminal, error, output);
    return false;
  } finally {
    for (const file of atomics) file.discard();
  }
}

async function selectInPlace(input: Input, run: Run): Promise<void> {
  rejectReplacing(input);
  const file = createAtomic(input.path!, input.name, run.terminal, input.packing ?? 'none');
  try {
    selectInto(input, run, createWriter(file.sink), [file.sink]);
    const tally = run.tallies.at(-1)!;
    if (!changes(tally, drops(run.options))) return;
    if (tally.kept === 0 && (tally.records > 0 || file.sink.lastByte < 0))
      throw new TranscriptError('usage', 'no record would stay; --write leaves no file empty');
    await file.commit({ expected: input.stats!, backup: run.options.backup });
  } finally {
    file.discard();
  }
}
