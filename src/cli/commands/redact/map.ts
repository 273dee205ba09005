/** The map of `redact --map`: the way back from marks to secrets. One that is there is read, kept and added to. */
import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { TranscriptError } from '../../../errors.js';
import { type Mark, NUMBERED } from '../../../secrets/redact.js';
import type { NamedInput } from '../../files/input.js';
import { rejectSame, targetOf, unwritable } from '../../files/target.js';
import { createAtomic } from '../../outputs/into-file.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface MarkMap {
  /** Its marks of earlier runs, with their secrets. */
  readonly known: ReadonlyMap<string, string>;
  /** Throws TranscriptError if it is an input: that would be written over. */
  rejectAmong(inputs: readonly NamedInput[]): void;
  /** Before a secret is gone for good. `marks`: what was found so far. */
  save(marks: ReadonlyMap<string, Mark>): Promise<void>;
  /** At the end of the run. */
  close(marks: ReadonlyMap<string, Mark>): Promise<void>;
}

/** Throws TranscriptError for what cannot be written, or is no map, before anything is read. */
export function openMap(name: string, output: string | undefined, terminal: Terminal): MarkMap {
  const path = resolve(terminal.cwd, name);
  const outputs = [output ?? '-', name].filter((one) => one !== '-');
  rejectSame(outputs.map((one) => ({ path: resolve(terminal.cwd, one), name: one })));
  const first = createAtomic(path, name, terminal);
  first.verify();
  const isFile = targetOf(path, name).kind === 'file';
  const known = isFile ? marksIn(path, name) : undefined;
  let saved = known?.size ?? -1;
  const write = async (marks: ReadonlyMap<string, Mark>, file = createAtomic(path, name, terminal)) => {
    const all = new Map([...(known ?? []), ...[...marks].map(([mark, { secret }]) => [mark, secret] as const)]);
    if (all.size === saved) return file.discard();
    try {
      file.sink.text(`${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
      await file.commit({ isPrivate: true });
      saved = all.size;
    } finally {
      file.discard();
    }
  };
  return {
    known: known ?? new Map(),
    rejectAmong(inputs) {
      const own = realPath(path);
      const isOwn = (input: NamedInput) => own !== undefined && realPath(resolve(terminal.cwd, input.name)) === own;
      if (inputs.some(isOwn)) throw unwritable(name, 'the map is one of the inputs; name another file for --map');
    },
    save: async (marks) => {
      if (isFile) await write(marks); // a pipe is written once
    },
    close: (marks) => write(marks, isFile ? undefined : first),
  };
}

/** Undefined if there is no such file. */
function marksIn(path: string, name: string): ReadonlyMap<string, string> | undefined {
  const text = textIn(path);
  if (text === undefined) return undefined;
  const marks = entriesIn(text);
  if (marks?.every(isMark)) return new Map(marks);
  throw unwritable(name, 'it is there already, and is no map of redact; name another file for --map');
}

function isMark(entry: [string, unknown]): entry is [string, string] {
  return NUMBERED.test(entry[0]) && typeof entry[1] === 'string';
}

function entriesIn(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TranscriptError('file', (error as Error).message);
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
