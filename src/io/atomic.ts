/** Files that are written whole or not at all. */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isTranscriptError, TranscriptError } from '../errors.js';
import { BufferedSink, writeAll } from './output.js';

export interface AtomicFile {
  readonly sink: BufferedSink;
  /** Puts the new file in the place of the old one. */
  commit(options?: CommitOptions): void;
  /** Takes the new file away; the old one was never touched. */
  discard(): void;
}

export interface CommitOptions {
  /** What the old file was when it was read: where it is another by now, it is not overwritten. */
  readonly expected?: Stats | undefined;
  /** Keeps the old file beside the new one, under its name with this suffix. */
  readonly backup?: string | undefined;
}

/**
 * Writes beside `path` (through a symbolic link, beside what it points to): a temporary file in the same folder, flushed to the
 * disk, then renamed over it with the old file's mode. A reader at any moment sees the old file or the new one. What is no regular
 * file is written to directly.
 */
export function createAtomic(path: string, name: string): AtomicFile {
  const target = realTarget(path);
  const there = statSync(target, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile() && !there.isDirectory()) return createStream(target, name);
  const temporary = join(dirname(target), `.${basename(target)}.ctx-trim-${process.pid}.tmp`);
  let fd: number;
  try {
    fd = openSync(temporary, 'w', 0o666);
  } catch (error) {
    throw unwritable(name, error);
  }
  const write = (bytes: Uint8Array, start: number, end: number) => {
    try {
      writeAll(fd, bytes, start, end);
    } catch (error) {
      throw unwritable(name, error);
    }
  };
  const sink = new BufferedSink(write);
  const discard = () => {
    closeQuietly(fd);
    rmSync(temporary, { force: true });
  };
  const commit = ({ expected, backup }: CommitOptions = {}) => {
    try {
      sink.flush();
      const old = statSync(target, { throwIfNoEntry: false });
      if (expected !== undefined && !isSame(expected, old))
        throw new TranscriptError(
          'changed-file',
          'it changed while it was being read; nothing was written, run the command again',
          { file: name },
        );
      if (old !== undefined) keepOwner(temporary, old);
      fsyncSync(fd);
      closeSync(fd);
      if (backup !== undefined && old !== undefined) copyFileSync(target, target + backup);
      renameSync(temporary, target);
      syncFolder(dirname(target));
    } catch (error) {
      discard();
      throw isTranscriptError(error) ? error : unwritable(name, error);
    }
  };
  return { sink, commit, discard };
}

/** A device or a pipe (`/dev/null`, `/dev/stdout`, `>(less)`) is written to as it is: nothing may take its place. */
function createStream(target: string, name: string): AtomicFile {
  let fd: number;
  try {
    fd = openSync(target, 'w');
  } catch (error) {
    throw unwritable(name, error);
  }
  const sink = new BufferedSink((bytes, start, end) => writeAll(fd, bytes, start, end));
  const commit = () => {
    sink.flush();
    closeSync(fd);
  };
  return { sink, commit, discard: () => closeQuietly(fd) };
}

function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // there is no such file yet
  }
}

function isSame(expected: Stats, now: Stats | undefined): boolean {
  return (
    now !== undefined &&
    now.ino === expected.ino &&
    now.dev === expected.dev &&
    now.size === expected.size &&
    now.mtimeMs === expected.mtimeMs
  );
}

function keepOwner(path: string, { mode, uid, gid }: Stats): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // only root may give a file away; the mode matters more
  }
  chmodSync(path, mode & 0o7777);
}

/** The rename itself reaches the disk with its folder. Not every system lets a folder be opened. */
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

function unwritable(name: string, error: unknown): TranscriptError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such folder',
    EACCES: 'permission to write there is denied',
    EPERM: 'permission to write there is denied',
    EROFS: 'the file system is read-only',
    EISDIR: 'it is a directory',
    ENOSPC: 'the disk is full',
  };
  return new TranscriptError('file', `cannot write it: ${reasons[code ?? ''] ?? message}`, { file: name });
}
