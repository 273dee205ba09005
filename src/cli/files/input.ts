import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Read } from '../../json/rows.js';
import { safe } from '../../safe/text.js';
import type { Part } from '../../source/piece.js';
import type { Terminal } from '../terminal/terminal.js';
import { PACKED, type Packing } from './packing.js';
import { patiently } from './retry-eagain.js';
import { statsAt } from './stats-at.js';
import type { Allowance } from './unpacking.js';

/** The first bytes of a ZIP archive that is not empty. */
const ZIP_MARK = 'PK\x03\x04';
/** https://parquet.apache.org/docs/file-format/ (2026-11-26) */
const PARQUET_MARK = 'PAR1';

/** An open input: a file, or stdin. */
export interface Input {
  /** As the user named it: `-` is stdin. */
  readonly name: string;
  /** Absolute; undefined for stdin. */
  readonly path: string | undefined;
  readonly read: Read;
  /** Another reader of a regular file, from its start; of an archive it reads the packed bytes. */
  readonly reread?: Read | undefined;
  /** Of a regular file, from anywhere. */
  readonly fileBytes?: { readonly length: number; at(position: number, length: number): Buffer } | undefined;
  /** The state when it was opened, to detect changes. */
  readonly stats: Stats | undefined;
  /** How many bytes of the file were read so far, still packed. */
  readonly taken?: () => number;
  /** The limits for unpacking an archive. */
  readonly allowance?: Allowance;
  /** How its bytes are compressed. `read` unpacks them. */
  readonly packing?: Packing;
  /** Why the input cannot be written back in its own form, if so. */
  readonly readOnly?: string;
  /** It is a session in a database or in many files of its agent, which are not written. */
  readonly isStored?: true;
  /** Lines of it, which a worker thread reads. */
  readonly part?: Part;
  /** Called at the end of a part with the number of its values. */
  ended?(records: number): void;
  close(): void;
}

/** The name for users. */
export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}

/** An input that is not opened yet. */
export interface NamedInput {
  /** The file's name for the user; `-` is stdin. */
  readonly name: string;
  /** The folder or pattern by which it was found, if the user did not name the file. */
  readonly folder?: string;
  /** It need not be a transcript. */
  readonly isOptional?: boolean;
  /** A symbolic link that was found, not named. */
  readonly isLink?: boolean;
  /** Its path in bytes, if it is not UTF-8. */
  readonly bytes?: Buffer;
  /** Its content, if not from the work tree. */
  readonly content?: () => Buffer;
}

/** The absolute path of a file in the work tree; undefined for stdin, and if the path is not UTF-8. */
export function pathOf({ name, bytes, content }: NamedInput, { cwd }: Pick<Terminal, 'cwd'>): string | undefined {
  return name === '-' || bytes !== undefined || content !== undefined ? undefined : resolve(cwd, name);
}

/** How the names of agents' databases end. */
const DATABASE = /db$/;

/** The inputs if all arguments are files or stdin; undefined if one may be a folder, a database or a pattern. */
export function plainInputs(words: readonly string[], cwd: string): NamedInput[] | undefined {
  if (words.length === 0) return [{ name: '-' }];
  const inputs = new Map<string | undefined, NamedInput>();
  for (const word of words) {
    const path = pathOf({ name: word }, { cwd });
    if (inputs.has(path)) continue;
    inputs.set(path, { name: word });
    const stats = path === undefined ? undefined : attempt(word, () => statsAt(path));
    if (stats?.isDirectory() ?? (isPattern(word) || word.includes(UNREADABLE))) return undefined;
    if (DATABASE.test(word)) return undefined;
  }
  return [...inputs.values()];
}

/** Whether an argument that is not a file is a pattern. */
export function isPattern(word: string): boolean {
  return /[*?[\]{}!]/.test(word);
}

/** Replaces bytes that are not UTF-8. */
export const UNREADABLE = '\ufffd';

/** What the path of a session looks like that may be no file of its own. */
const STORED = /db[\\/][^\\/]+$|storage.session|base_state/;

async function storedInput(named: NamedInput, terminal: Terminal): Promise<Input | undefined> {
  const path = pathOf(named, terminal);
  if (path === undefined || !STORED.test(path)) return undefined;
  const { storedAt } = await import('./stored.js');
  const json = attempt(named.name, () => storedAt(path, terminal));
  return json === undefined ? undefined : { ...held(named.name, Buffer.from(json)), path, isStored: true };
}

/** Opens a file, the content of an archive or cassette, or stdin (`-`). Throws TranscriptError if it is unreadable. */
export async function openInput(named: NamedInput, terminal: Terminal): Promise<Input> {
  const input = (await storedInput(named, terminal)) ?? openBytes(named, terminal);
  try {
    const { head, read } = peek(input.read, ZIP_MARK.length);
    if (PACKED.test(head)) {
      const unpacked = await (await import('./compressed.js')).unpacked(read, head);
      return { ...input, ...unpacked, ...(await cassetteIn(unpacked.read)), reread: undefined };
    }
    if (head === PARQUET_MARK) {
      const { openRows } = await import('./parquet.js');
      return {
        ...input,
        ...openRows({ ...input, bytes: input.fileBytes, read }, terminal),
        reread: undefined,
        fileBytes: undefined,
      };
    }
    if (head !== ZIP_MARK) return { ...input, ...(await cassetteIn(read)) };
    const { createAllowance, openArchive, READ_ONLY_ARCHIVE } = await import('./archive.js');
    const allowance = createAllowance();
    return { ...input, read: await openArchive(read, allowance), allowance, readOnly: READ_ONLY_ARCHIVE };
  } catch (error) {
    input.close();
    throw error;
  }
}

/** The beginning of YAML; of what could be JSON, no more bytes are awaited. */
const YAML_BEGINNING = /^(?:\xef\xbb\xbf|#|---|inte|http|vers|reco)/;

/** A reader of a cassette as JSON; of anything else, the reader itself. */
async function cassetteIn(read: Read): Promise<Pick<Input, 'read' | 'readOnly' | 'reread'>> {
  const beginning = peek(read, ZIP_MARK.length);
  if (!YAML_BEGINNING.test(beginning.head)) return { read: beginning.read };
  const { CASSETTE, CASSETTE_HEAD, openCassette, READ_ONLY_CASSETTE } = await import('./cassette.js');
  const { head, read: again } = peek(beginning.read, CASSETTE_HEAD);
  if (!CASSETTE.test(head)) return { read: again };
  return { read: await openCassette(again), readOnly: READ_ONLY_CASSETTE, reread: undefined };
}

/** The first bytes, and a reader that starts with them again. */
function peek(read: Read, length: number): { readonly head: string; readonly read: Read } {
  const first = Buffer.alloc(length);
  let got = 0;
  for (let more = -1; got < length && more !== 0; got += more) more = read(first, got, length - got);
  let given = 0;
  const again: Read = (buffer, at, room) => {
    if (given === got) return read(buffer, at, room);
    const taken = first.copy(buffer, at, given, Math.min(got, given + room));
    given += taken;
    return given === got && taken < room ? taken + read(buffer, at + taken, room - taken) : taken;
  };
  return { head: first.latin1Slice(0, got), read: again };
}

function openBytes({ name, bytes, content }: NamedInput, terminal: Terminal): Input {
  if (content !== undefined) return held(name, attempt(name, content));
  if (name === '-' && terminal.stdinIsTerminal)
    terminal.stderr.write(safe`ctx-trim: reading from the terminal; end with Ctrl-D, or name a file or @last\n`);
  if (name === '-') return { name, path: undefined, read: terminal.stdin, stats: undefined, close: () => {} };
  const path = resolve(terminal.cwd, name);
  const fd = attempt(name, () => openSync(bytes ?? path, 'r'));
  const stats = fstatSync(fd);
  opened.set(inodeKey(stats), path);
  let taken = 0;
  const readFile = (start: number | null): Read => {
    const read = readerFrom(fd, name, start);
    return (buffer, at, length) => {
      const got = read(buffer, at, length);
      taken += got;
      return got;
    };
  };
  const readOnly = bytes === undefined ? {} : { readOnly: 'its name is not UTF-8: rename it first' };
  const at = (position: number, length: number) => {
    const piece = Buffer.alloc(length);
    const got = attempt(name, () => readSync(fd, piece, 0, length, position));
    taken += got;
    return piece.subarray(0, got);
  };
  const anywhere = stats.isFile() ? { reread: readFile(0), fileBytes: { length: stats.size, at } } : {};
  const close = () => closeSync(fd);
  return { name, path, read: readFile(null), ...anywhere, stats, taken: () => taken, ...readOnly, close };
}

/** Reads a file from a position, or, with null, from where the last such reader ended. */
function readerFrom(fd: number, name: string, start: number | null): Read {
  let position = start;
  return (buffer, at, length) => {
    const got = attempt(name, () => readSync(fd, buffer, at, length, position));
    if (position !== null) position += got;
    return got;
  };
}

/** An input in memory. */
function held(name: string, bytes: Buffer): Input {
  let at = 0;
  const read: Read = (buffer, start, length) => {
    const taken = bytes.copy(buffer, start, at, Math.min(bytes.length, at + length));
    at += taken;
    return taken;
  };
  return { name, path: undefined, read, stats: undefined, close: () => {} };
}

/** The paths of all inputs of this run, by file. */
const opened = new Map<string, string>();
const inodeKey = ({ dev, ino }: Stats) => `${dev}:${ino}`;

/** The path under which the file at `path` was opened as an input, if it was. */
export function openedAs(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? opened.get(inodeKey(stats)) : undefined;
}

/** Reads a file descriptor that may have no data yet. */
export function readerOf(fd: number): Read {
  return (buffer, at, length) => {
    try {
      return patiently(() => readSync(fd, buffer, at, length, null));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EOF') return 0;
      throw unreadable('stdin', error);
    }
  };
}

function attempt<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ file: name }) : unreadable(name, error);
  }
}

const REASONS = new Map<string, string>([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission to read it is denied'],
  ['EPERM', 'permission to read it is denied'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['ELOOP', 'too many symbolic links'],
  ['EMFILE', 'too many files are open'],
]);

export function unreadable(name: string, error: unknown): TranscriptError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new TranscriptError('file', `cannot read it: ${REASONS.get(code ?? '') ?? message}`, { file: name });
}
