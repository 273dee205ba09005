/**
 * What earlier runs learned of files, kept in one file in the user's cache folder. An entry counts only while its file
 * has the same device, inode, size and times. The cache is optional: whatever is wrong with it, it is ignored.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { greatest } from '../../lists.js';
import type { Terminal } from '../terminal/terminal.js';
import { cacheFolder, isOwn, isUsers } from './cache-folder.js';
import { writeAll } from './output.js';
import { plugins } from './plugin-mark.js';
import { uninterrupted } from './signals.js';
import { statsAt } from './stats-at.js';
import { isSpread } from './stored.js';
import { openTemporary, removeStale } from './temporary.js';

export interface KnownFiles {
  /** What was kept of a file that has not changed since; it need not be opened. `file`: an absolute path. */
  get(file: string): string | undefined;
  /**
   * Keeps a line of JSON about a file that was read to its end, unless it may have changed since `get` was called,
   * which must be before it was opened.
   */
  put(file: string, content: string): void;
  /** Writes what is new. */
  close(): void;
}

/** Times of files may be this coarse, so that a later change within this time would not show. */
export const COARSEST_TIME_MS = 2000;
/** The largest cache. Beyond it, entries of missing files are dropped first, then those unused for longest. */
const MOST_BYTES = 64 << 20;
/** Larger entries are not kept. */
const MOST_OF_FILE = 8 << 20;
/** The first line, which says who wrote the rest; a multiple of four bytes, for the checksum. */
const HEAD = 96;
const [LINE_BREAK, TAB] = [0x0a, 0x09];

/** A line of the cache: path and state, a tab, and what was kept. */
interface Entry {
  readonly state: string;
  readonly line: Buffer;
  readonly contentStart: number;
}

/**
 * Opens the cache of a kind of facts. `program` identifies the program, as another one may read files otherwise.
 * Undefined if the environment turns it off (CTX_TRIM_CACHE=off) or names no folder for it.
 */
export function openKnownFiles(kind: string, program: string, { env }: Pick<Terminal, 'env'>): KnownFiles | undefined {
  const build = program + plugins.mark;
  const folder = cacheFolder(env);
  if (folder === undefined) return undefined;
  const path = join(folder, `${kind}.jsonl`);
  const entries = loaded(folder, path, build);
  const seen = new Map<string, { readonly state: string; readonly isSettled: boolean }>();
  let isNew = false;
  return {
    get(file) {
      const now = attempt(() => currentState(file));
      if (now === undefined) return undefined;
      const { state } = now;
      seen.set(file, { state, isSettled: Date.now() - now.changed >= COARSEST_TIME_MS });
      const known = entries.get(file);
      if (known?.state !== state) return undefined;
      entries.delete(file); // the entries used last come last
      entries.set(file, known);
      return known.line.utf8Slice(known.contentStart, known.line.length - 1);
    },
    put(file, content) {
      const before = seen.get(file);
      if (before?.isSettled !== true || content.length > MOST_OF_FILE) return;
      if (attempt(() => currentState(file))?.state !== before.state) return;
      isNew = true;
      entries.delete(file);
      entries.set(file, entryOf(file, before.state, content));
    },
    close() {
      if (isNew) uninterrupted(() => attempt(() => write(folder, path, build, entries)));
    },
  };
}

/** Undefined for what is no file. A session in a database changes with that; one in many files shows no change. */
function currentState(file: string): { readonly state: string; readonly changed: number } | undefined {
  const own = statsAt(file);
  const database = own === undefined ? dirname(file) : undefined;
  const files = database === undefined ? [own] : [statsAt(database), statsAt(`${database}-wal`)];
  if (files[0]?.isFile() !== true || isSpread(file)) return undefined;
  const found = files.filter((stats) => stats !== undefined);
  const changed = greatest(found.flatMap(({ mtimeMs, ctimeMs }) => [mtimeMs, ctimeMs]));
  return { state: found.map(stateOf).join(' '), changed };
}

function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function entryOf(file: string, state: string, content: string): Entry {
  const head = `${JSON.stringify([file, state])}\t`;
  return { state, line: Buffer.from(`${head}${content}\n`), contentStart: Buffer.byteLength(head) };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

// --- read

function loaded(folder: string, path: string, build: string): Map<string, Entry> {
  const bytes = attempt(() => (isOwn(folder) ? readOwn(path) : undefined));
  const isWhole = bytes !== undefined && bytes.latin1Slice(0, HEAD) === headOf(build, bytes);
  return isWhole ? (attempt(() => entriesIn(bytes)) ?? new Map()) : new Map();
}

/** The bytes of a regular file of the user that is no link. */
function readOwn(path: string): Buffer | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || !isUsers(stats) || stats.size > 2 * MOST_BYTES || stats.size < HEAD) return undefined;
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    for (let at = 0; at < bytes.length; ) {
      const got = readSync(fd, bytes, at, bytes.length - at, null);
      if (got === 0) return undefined;
      at += got;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/** The first line of a cache. */
function headOf(build: string, bytes: Buffer): string {
  return `${`ctx-trim ${build} ${bytes.length} ${checksum(bytes)}`.slice(0, HEAD - 1).padEnd(HEAD - 1)}\n`;
}

/** FNV-1a over the words after the first line: any damage to one word shows. */
function checksum(bytes: Buffer): string {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + HEAD, (bytes.length - HEAD) >> 2);
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return (hash >>> 0).toString(16);
}

function entriesIn(bytes: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let start = HEAD; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_BREAK, start) + 1;
    if (end === 0) break;
    const tab = bytes.indexOf(TAB, start);
    if (tab > start && tab < end) {
      const [file, state] = JSON.parse(bytes.utf8Slice(start, tab)) as [string, string];
      entries.set(file, { state, line: bytes.subarray(start, end), contentStart: tab + 1 - start });
    }
    start = end;
  }
  return entries;
}

// --- write

/** Replaces the cache in one step: another run reads the old one or the new one. */
function write(folder: string, path: string, build: string, entries: Map<string, Entry>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwn(folder)) return;
  evict(entries);
  const bytes = bytesOf(build, entries);
  removeStale(path);
  const temporary = openTemporary(path);
  try {
    writeAll(temporary.fd, bytes);
    closeSync(temporary.fd);
    renameSync(temporary.path, path);
  } catch (error) {
    rmSync(temporary.path, { force: true });
    throw error;
  }
}

function evict(entries: Map<string, Entry>): void {
  let size = 0;
  for (const { line } of entries.values()) size += line.length;
  const drop = (isDropped: (file: string) => boolean) => {
    for (const [file, { line }] of entries) {
      if (size <= MOST_BYTES) return;
      if (!isDropped(file)) continue;
      entries.delete(file);
      size -= line.length;
    }
  };
  drop((file) => attempt(() => currentState(file)) === undefined);
  drop(() => true);
}

function bytesOf(build: string, entries: ReadonlyMap<string, Entry>): Buffer {
  const lines = [...entries.values()].map(({ line }) => line);
  const size = lines.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.alloc(HEAD + Math.ceil(size / 4) * 4, '\n'); // whole words
  let at = HEAD;
  for (const line of lines) at += line.copy(bytes, at);
  bytes.write(headOf(build, bytes), 0, 'latin1');
  return bytes;
}
