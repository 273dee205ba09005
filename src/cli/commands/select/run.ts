/** Keeps records of a dataset, and drops the others whole. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printed } from '../../../documents/print.js';
import { selectDocument } from '../../../documents/select.js';
import { tabledAt } from '../../../engine/rewrite/tables/by-table.js';
import { CONDITIONS, givenConditions, type Means } from '../../../engine/select/conditions.js';
import type { DataRecord } from '../../../engine/select/record.js';
import { createSelection, type Reason, type Selection } from '../../../engine/select/select.js';
import { TranscriptError } from '../../../errors.js';
import { countedOf, totalsOf } from '../../../measure/stats/facts.js';
import { safe, shown } from '../../../safe/text.js';
import type { Opened, Piece } from '../../../source/piece.js';
import type { Config } from '../../config/config.js';
import { type Input, shownName } from '../../files/input.js';
import type { BufferedSink } from '../../files/output.js';
import { forEachInput, namesLines, openPieces, say, sayError, type Traversal } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import {
  createAtomic,
  inputsFor,
  intoFile,
  rejectBackup,
  rejectInput,
  rejectReplacing,
  rejectStreams,
} from '../../outputs/into-file.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { SelectOptions } from './options.js';
import { changes, createTally, sumOf, type Tally, tallyText } from './tally.js';
import { readTwice } from './twice.js';
import { createLineWriter, createWriter, NO_WRITER, type RecordWriter, rejectLog } from './writer.js';

export async function runSelect(
  words: readonly string[],
  options: SelectOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  rejectWrong(words, options, terminal);
  const selection = createSelection(options, await meansFor(options, config, terminal), sha256);
  const run: Run = {
    ...{ words, options, terminal, selection, tallies: [], counts: new Map() },
    decide: (record) => selection.reasonFor(record),
  };
  const good = selection.needsAll ? await selectTwice(run) : await write(run);
  if (!good) return 2;
  report(run);
  return options.check === true && run.tallies.some((tally) => changes(tally, drops(options))) ? 1 : 0;
}

interface Run {
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
}

function rejectWrong(words: readonly string[], options: SelectOptions, { cwd }: Terminal): void {
  const { skipBadLines, split, write: inPlace, backup } = options;
  if (skipBadLines !== undefined && skipBadLines !== true && skipBadLines !== 'drop')
    throw new TranscriptError('usage', `--skip-bad-lines \`${skipBadLines}\` is invalid; expected =drop, or no value`);
  if (split !== undefined && skipBadLines === true)
    throw new TranscriptError('usage', '--split has no file for lines that are not JSON: use --skip-bad-lines=drop');
  if (inPlace !== true) return;
  if (words.length === 0 || words.includes('-')) throw new TranscriptError('usage', '--write needs a file, not stdin');
  rejectBackup(backup);
  rejectStreams(words, cwd);
}

/** Loads only what the given conditions need. */
async function meansFor(options: SelectOptions, config: Config, terminal: Terminal): Promise<Means> {
  const needs = new Set(givenConditions(options).map((key) => CONDITIONS[key].needs));
  const countingFor = needs.has('tokensOf')
    ? await (await import('../../../node/tokenizer.js')).loadCountings(options.tokenizer)
    : undefined;
  const isValid = needs.has('isValid')
    ? await (await import('./means.js')).validityBy(options, config, terminal)
    : undefined;
  return {
    ...(isValid && { isValid }),
    ...(countingFor && {
      tokensOf: (transcript) => {
        const counting = countingFor(options.asModel ?? transcript.model);
        return totalsOf(transcript, countedOf(transcript, counting), undefined, undefined).tokens;
      },
    }),
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function drops({ skipBadLines }: SelectOptions): boolean {
  return skipBadLines === 'drop';
}

/** First finds the records of a sample, then writes them. */
async function selectTwice(run: Run): Promise<boolean> {
  const { terminal, tallies } = run;
  const twice = readTwice(terminal);
  try {
    if (!(await each({ ...run, terminal: twice.first }, (input, now) => select(input, now, NO_WRITER), {})))
      return false;
    const winners = run.selection.winners()!;
    let order = 0;
    let next = 0;
    const decide = (): Reason | undefined => {
      const isWinner = winners[next] === order++;
      if (isWinner) next++;
      return isWinner ? undefined : 'sample';
    };
    const again = { ...run, terminal: twice.again(), decide, tallies: [], before: tallies };
    const good = await write(again);
    if (good) merge(tallies, again.tallies);
    return good;
  } finally {
    twice.close();
  }
}

/** What the sample drops. */
function merge(tallies: readonly Tally[], again: readonly Tally[]): void {
  tallies.forEach((tally, index) => {
    const lost = tally.kept - again[index]!.kept;
    if (lost > 0) tally.dropped.set('sample', lost);
    tally.kept -= lost;
  });
}

// --- outputs

type Visit = (input: Input, run: Run) => void | Promise<void>;

function each(run: Run, visit: Visit, traversal: Traversal): Promise<boolean> {
  const { words, options, terminal, before } = run;
  return forEachInput(words, terminal, (input) => visit(input, run), {
    ...{ verbose: options.verbose, quiet: options.quiet === true || before !== undefined },
    ...traversal,
  });
}

function write(run: Run): Promise<boolean> {
  const { check, list, write: inPlace, split, output } = run.options;
  if (check === true || list === true) return each(run, listInput, {});
  if (inPlace === true) return each(run, selectInPlace, { isSilent: true });
  if (split !== undefined) return intoFolder(run, output!);
  return output === undefined || output === '-' ? ontoStdout(run) : intoOne(run, output);
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
  const atomics = files.map(({ path, shownPath }) => createAtomic(path, shownPath));
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
  const file = createAtomic(input.path!, input.name, input.packing ?? 'none');
  try {
    selectInto(input, run, createWriter(file.sink), [file.sink]);
    const tally = run.tallies.at(-1)!;
    if (!changes(tally, drops(run.options))) return;
    if (tally.kept === 0 && file.sink.lastByte < 0)
      throw new TranscriptError('usage', 'no record would stay; --write leaves no file empty');
    await file.commit({ expected: input.stats!, backup: run.options.backup });
  } finally {
    file.discard();
  }
}

// --- one input

function selectInto(input: Input, run: Run, writer: RecordWriter, sinks: readonly BufferedSink[]): void {
  if (input.readOnly !== undefined) {
    input.read(Buffer.alloc(1), 0, 1); // errors of the input itself come before this one
    throw new TranscriptError('file', input.readOnly);
  }
  select(input, run, writer, () => {
    for (const sink of sinks) sink.settle();
  });
}

/** Asks for each record of an input whether it stays. */
function select(input: Input, run: Run, writer: RecordWriter, onReuse: () => void = () => {}): void {
  const { options, terminal, tallies } = run;
  const file = shownName(input.name);
  const tally = createTally(file);
  const read = unlessEmpty(input);
  if (read === undefined) {
    tallies.push(tally);
    if (run.before === undefined) say(terminal, `ctx-trim: ${file}: empty, so it has no records`);
    return;
  }
  let format = '';
  const reading = { ...options, skipBadLines: options.skipBadLines !== undefined };
  const told = run.before !== undefined ? muted(terminal) : terminal;
  const pieces = openPieces({ ...input, read }, reading, told, {
    ...{ onReuse, tables: tabledAt, dropsBadLines: drops(options) },
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

// --- report

function report({ options, terminal, tallies, counts, selection }: Run): void {
  const { format, quiet, summary, check, write: inPlace, output, split, list } = options;
  if (format === 'json') {
    const isFree = list !== true && (check === true || inPlace === true || (output !== undefined && output !== '-'));
    const splits = selection.splits.map(({ name }) => ({ name, records: counts.get(name)! }));
    (isFree ? terminal.stdout : terminal.stderr).write(printed(selectDocument(tallies, sumOf(tallies), splits)));
    return;
  }
  if (quiet === true || (summary !== true && !terminal.stderr.isTerminal)) return;
  for (const tally of tallies) say(terminal, tallyText(tally, drops(options)));
  if (tallies.length > 1) say(terminal, tallyText(sumOf(tallies), drops(options)));
  if (split !== undefined) for (const [name, records] of counts) say(terminal, `${name}: ${records} records`);
}
