/** Where rows and the ledger go: all of the files are written, or none. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { templateRow } from '../../../engine/dataset/print.js';
import { splitsOf } from '../../../engine/select/lots.js';
import { TranscriptError } from '../../../errors.js';
import type { AtomicFile } from '../../files/atomic.js';
import { BufferedSink } from '../../files/output.js';
import { packingNamed, rejectSame } from '../../files/target.js';
import { createAtomic, rejectInput } from '../../outputs/into-file.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { DatasetOptions } from './options.js';

export interface Outputs {
  sinkOf(split: string | undefined): BufferedSink;
  readonly ledger: BufferedSink | undefined;
  /** No row goes to stdout. */
  readonly isSilent: boolean;
  flush(): void;
  commit(): Promise<void>;
  discard(): void;
}

interface Opened {
  readonly path: string;
  readonly name: string;
  readonly file: AtomicFile;
}

/** Throws TranscriptError for what cannot be written, before anything is read. */
export function openOutputs(options: DatasetOptions, terminal: Terminal): Outputs {
  const { output = '-', ledger } = options;
  const rows = options.split === undefined ? oneFile(options, terminal) : splitFiles(options, terminal);
  const written = ledger === undefined ? undefined : opened(ledger, options, terminal);
  const files = [...rows.values(), ...(written === undefined ? [] : [written])];
  for (const { file } of files) file.verify();
  rejectSame(files);
  const stdout = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
  return {
    sinkOf: (split) => rows.get(split ?? '')?.file.sink ?? stdout,
    ledger: written?.file.sink,
    isSilent: output !== '-',
    flush: () => stdout.flush(),
    async commit() {
      for (const { path, name } of files) rejectInput(path, name);
      for (const { file } of files) await file.commit();
    },
    discard() {
      for (const { file } of files) file.discard();
    },
  };
}

function oneFile(options: DatasetOptions, terminal: Terminal): Map<string, Opened> {
  const { output = '-' } = options;
  return output === '-' ? new Map() : new Map([['', opened(output, options, terminal)]]);
}

function splitFiles(options: DatasetOptions, terminal: Terminal): Map<string, Opened> {
  const output = options.output!;
  const splits = splitsOf(options.split!);
  try {
    mkdirSync(resolve(terminal.cwd, output), { recursive: true });
  } catch (error) {
    throw new TranscriptError('file', `cannot make the folder: ${(error as Error).message}`, { file: output });
  }
  const name = (split: string) => join(output, `${split}.${options.files}`);
  return new Map(splits.map((split) => [split.name, opened(name(split.name), options, terminal)]));
}

function opened(name: string, options: DatasetOptions, terminal: Terminal): Opened {
  const path = resolve(terminal.cwd, name);
  const packing = packingNamed(name);
  const isParquet = typeof packing === 'object';
  const template = isParquet && name !== options.ledger ? templateRow(options) : undefined;
  return { path, name, file: createAtomic(path, name, terminal, isParquet ? { ...packing, template } : packing) };
}
