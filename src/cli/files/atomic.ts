/** Writes files completely or not at all. */
import {
  closeSync,
  copyFileSync,
  fchmodSync,
  fchownSync,
  constants as fsConstants,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { writeToStream } from './failures.js';
import { BufferedSink, writeAll } from './output.js';
import type { Packing } from './packing.js';
import { turn, undoneBySignals } from './signals.js';
import { Spool } from './spool.js';
import { packingNamed, rejectUnreplaceable, rejectUnwritablePacking, targetOf, unwritable } from './target.js';
import { type OpenTemporary, openTemporary, removeStale } from './temporary.js';
import { reasonOf } from './write-reasons.js';

/** Where to say what a file does not keep. */
type Notices = Pick<Terminal, 'stderr' | 'parquet'>;

export interface AtomicFile {
  readonly sink: BufferedSink;
  /** Throws now if `commit` would fail anyway: before an input is consumed that cannot be read again. */
  verify(): void;
  /** Replaces the old file. */
  commit(options?: CommitOptions): Promise<void>;
  /** Discards the new file; the old one did not change. Does nothing after `commit`. */
  discard(): void;
}

export interface CommitOptions {
  /** The state of the old file when it was read. If it has changed since, it is not overwritten. */
  readonly expected?: Stats | undefined;
  /** Keeps the old file under its name with this suffix. */
  readonly backup?: string | undefined;
  /** Only its owner may read the new file, whatever the mode of the old one. */
  readonly isPrivate?: boolean;
}

/**
 * Replaces `path`, or the target of a symbolic link: writes a temporary file in the same folder, flushes it to the
 * disk, and renames it with the old file's mode, so that readers see either the old or the new file. The temporary file
 * exists only while `commit` runs. Anything but a regular file is written directly. `packing`: how the new file is
 * compressed; by default as its name says.
 */
export function createAtomic(path: string, name: string, terminal: Notices, packing = packingNamed(name)): AtomicFile {
  const target = targetOf(path, name);
  if (target.kind === 'descriptor') return createStream(target.fd, name);
  if (target.kind === 'stream') return createStream(openStream(target.path, name), name, true);
  const spool = new Spool(target.path, name);
  const sink = new BufferedSink((bytes, start, end) => spool.write(bytes, start, end));
  const commit = async (options: CommitOptions = {}) => {
    sink.flush();
    rejectUnwritablePacking(packing, name);
    try {
      await replace(target.path, name, { ...options, content: () => contentOf(spool, packing, terminal) });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(name, reasonOf(error));
    } finally {
      spool.close();
    }
  };
  return {
    sink,
    verify() {
      rejectUnreplaceable(target.path, name);
      rejectUnwritablePacking(packing, name);
    },
    commit,
    discard: () => spool.close(),
  };
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

interface Replacing extends CommitOptions {
  content(): Promise<Content>;
}

/** Pieces between two turns of the event loop. */
const PIECES_A_TURN = 16;

async function replace(
  target: string,
  name: string,
  { expected, backup, isPrivate, content }: Replacing,
): Promise<void> {
  const backupPath = backup === undefined ? undefined : target + backup;
  rejectUnreplaceable(target, name, backupPath);
  removeStale(target);
  let opened: OpenTemporary | undefined;
  let made: string | undefined; // a new backup, which is deleted if the replacement fails
  const undo = () => {
    if (opened !== undefined) closeQuietly(opened.fd);
    if (opened !== undefined) rmSync(opened.path, { force: true });
    if (made !== undefined) rmSync(made, { force: true });
  };
  await undoneBySignals(undo, async () => {
    try {
      opened = openTemporary(target);
      const { path: temporary, fd } = opened;
      let pieces = 0;
      for await (const piece of await content()) {
        writeAll(fd, piece);
        if (++pieces % PIECES_A_TURN === 0) await turn();
      }
      const old = statSync(target, { throwIfNoEntry: false });
      if (isPrivate !== true) setOwnerAndMode(fd, old, name); // a temporary file is private
      await promisify(fsync)(fd);
      closeSync(fd);
      rejectChanged(target, name, expected);
      if (backupPath !== undefined && old !== undefined && keepBackup(target, backupPath, name)) made = backupPath;
      renameSync(temporary, target);
      made = undefined;
    } catch (error) {
      undo();
      throw error;
    }
    syncFolder(dirname(target));
  });
}

async function contentOf(spool: Spool, packing: Packing, terminal: Notices): Promise<Content> {
  if (packing === 'none') return spool.read();
  if (typeof packing === 'object') return (await import('./parquet.js')).parquetIn(spool, packing, terminal);
  return (await import('./compressed.js')).packed(spool.read(), packing);
}

function rejectChanged(target: string, name: string, expected: Stats | undefined): void {
  if (expected === undefined) return;
  const now = statSync(target, { throwIfNoEntry: false });
  if (now !== undefined && isSame(expected, now)) return;
  throw new TranscriptError(
    'changed-file',
    'it changed while it was being read; nothing was written, run the command again',
    { file: name },
  );
}

function isSame(expected: Stats, now: Stats): boolean {
  return (
    now.ino === expected.ino &&
    now.dev === expected.dev &&
    now.size === expected.size &&
    now.mtimeMs === expected.mtimeMs
  );
}

/** Those of the old file, or the defaults of a new one. */
function setOwnerAndMode(fd: number, old: Stats | undefined, name: string): void {
  if (old === undefined) {
    fchmodSync(fd, 0o666 & ~process.umask());
    return;
  }
  const { uid, gid } = fstatSync(fd);
  try {
    if (uid !== old.uid || gid !== old.gid) fchownSync(fd, old.uid, old.gid);
  } catch {
    throw unwritable(name, 'its owner and group cannot be kept; write to a new file, and copy that over it');
  }
  fchmodSync(fd, old.mode & 0o7777); // a change of owner clears some bits
}

/**
 * Gives the old file a second name, which keeps all of its metadata; copies it if the file system has no links. Returns
 * whether the backup is new: a killed run may have created it before.
 */
function keepBackup(target: string, backup: string, name: string): boolean {
  const there = lstatSync(backup, { throwIfNoEntry: false });
  const old = statSync(target);
  if (there?.ino === old.ino && there.dev === old.dev) return false;
  try {
    if (there === undefined) {
      linkSync(target, backup);
      return true;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return copyBackup(target, backup);
  }
  throw unwritable(
    name,
    `its backup ${basename(backup)} is there already; move that away, or choose another suffix with --backup`,
  );
}

function copyBackup(target: string, backup: string): boolean {
  copyFileSync(target, backup, fsConstants.COPYFILE_EXCL);
  const fd = openSync(backup, 'r');
  fsyncSync(fd);
  closeSync(fd);
  return true;
}

/** A device or a pipe (`/dev/null`, `>(less)`). */
function createStream(fd: number, name: string, isOurs = false): AtomicFile {
  const sink = new BufferedSink((bytes, start, end) => writeToStream(fd, name, bytes, [start, end]));
  const close = () => {
    if (isOurs) closeQuietly(fd);
  };
  const commit = async () => {
    sink.flush();
    close();
  };
  return { sink, verify: () => {}, commit, discard: close };
}

function openStream(path: string, name: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw unwritable(name, reasonOf(error));
  }
}

/** Flushes the folder, so that the rename reaches the disk. Not every system can open folders. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // the file itself is safe
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // it was closed before
  }
}
