/** Resolves the target of a new file through links, and checks that it may be replaced. */
import { accessSync, constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Input } from './input.js';
import type { Packing } from './packing.js';
import { statsAt } from './stats-at.js';
import { isDatabase } from './stored.js';
import { reasonOf } from './write-reasons.js';

const MOST_LINKS = 40;

export type Target =
  /** A regular file, or a new one. */
  | { readonly kind: 'file'; readonly path: string }
  /** A pipe or a device: it is written directly, and never replaced. */
  | { readonly kind: 'stream'; readonly path: string }
  /** A descriptor of this process, such as `/dev/stdout` or `>(less)`. */
  | { readonly kind: 'descriptor'; readonly fd: number };

/** The target of a path. Throws TranscriptError if it cannot be written. */
export function targetOf(path: string, name: string): Target {
  if (name.endsWith('/') || name.endsWith(sep)) throw unwritable(name, 'it names a folder; name a file in it');
  const end = endOfLinks(path, name);
  const fd = descriptorOf(end);
  if (fd !== undefined) return { kind: 'descriptor', fd };
  const stats = statOf(end, name);
  if (stats === undefined && isLink(path)) throw unwritable(name, 'it is a symbolic link to a file that is not there');
  if (stats?.isDirectory()) throw unwritable(name, 'it is a directory; name a file in it');
  return { kind: stats === undefined || stats.isFile() ? 'file' : 'stream', path: end };
}

/** Follows links one by one, because the target of a link in /proc must not be used by its name. */
function endOfLinks(path: string, name: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    try {
      at = join(realpathSync(dirname(at)), basename(at));
      if (descriptorOf(at) !== undefined || !isLink(at)) return at;
      rejectPlanted(at, name);
      at = resolve(dirname(at), readlinkSync(at));
    } catch (error) {
      throw isTranscriptError(error) ? error : unwritable(name, reasonOf(error));
    }
  }
  throw unwritable(name, 'too many symbolic links');
}

/** Rejects links of other users in world-writable folders, like the protected_symlinks setting of Linux. */
function rejectPlanted(link: string, name: string): void {
  const { mode, uid } = statSync(dirname(link));
  const owner = lstatSync(link).uid;
  if ((mode & 0o1002) === 0o1002 && owner !== uid && owner !== process.geteuid?.())
    throw unwritable(name, 'it is a symbolic link that another user put into a folder that is open to all');
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Throws TranscriptError if two outputs are one file: the one that is written last would be left. */
export function rejectSame(outputs: readonly { readonly path: string; readonly name: string }[]): void {
  const known = new Set<string>();
  for (const { path, name } of outputs) {
    const target = targetOf(path, name);
    if (target.kind === 'file' && known.has(target.path)) throw unwritable(name, 'two outputs name this file');
    if (target.kind === 'file') known.add(target.path);
  }
}

function descriptorOf(path: string): number | undefined {
  const [, process_, fd] = /^\/(?:proc\/(\d+)|dev)(?:\/task\/\d+)?\/fd\/(\d+)$/.exec(path) ?? [];
  return fd !== undefined && (process_ === undefined || Number(process_) === process.pid) ? Number(fd) : undefined;
}

function statOf(path: string, name: string): Stats | undefined {
  try {
    return statsAt(path);
  } catch (error) {
    throw unwritable(name, reasonOf(error));
  }
}

/**
 * Throws TranscriptError if the file must not be replaced, because something would be lost or it is protected.
 * `backup`: the path of its backup, to which a killed run may have linked it.
 */
export function rejectUnreplaceable(path: string, name: string, backup?: string): void {
  const old = statOf(path, name);
  rejectUnwritable(dirname(path), name);
  if (old === undefined) return;
  const names = old.nlink - (backup !== undefined && isSameFile(backup, old) ? 1 : 0);
  if (names > 1)
    throw unwritable(name, `it has ${names} hard links, which would part; write to a new file, and copy that over it`);
  const user = process.geteuid?.() ?? 0;
  if (user !== 0 && old.uid !== user)
    throw unwritable(name, 'it belongs to another user, who would lose it; write to a new file, and copy that over it');
  // also for root, whom the system would let write
  if ((old.mode & WRITABLE) === 0) throw unwritable(name, 'it is read-only; make it writable first');
  rejectUnwritable(path, name);
}

/** The bits of a file's mode that let anyone write. */
const WRITABLE = 0o222;

function isSameFile(path: string, { dev, ino }: Stats): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.dev === dev && stats.ino === ino;
}

function rejectUnwritable(path: string, name: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw unwritable(name, reasonOf(error));
  }
}

/** Rejects agents' databases for `--write`, and pipes and devices, which could block when they are opened. */
export function rejectStreams(words: readonly string[], cwd: string): void {
  for (const word of words) {
    const path = resolve(cwd, word);
    if (statOf(path, word) === undefined) continue; // a glob, or a missing file, which is reported when it is opened
    if (isDirectory(path)) continue;
    if (isDatabase(path)) throw new TranscriptError('usage', READ_ONLY_STORE, { file: word });
    if (targetOf(path, word).kind !== 'file')
      throw new TranscriptError('usage', `--write needs a file, and ${word} is a pipe or a device`);
  }
}

const READ_ONLY_STORE =
  'its agent keeps sessions in a database or in many files, which are only read and stay as they are; ' +
  'write the output to a new file, with --output in place of --write';

/** Throws TranscriptError for an input that is no file which could be replaced. */
export function rejectReplacing({ path, stats, isStored }: Input): void {
  if (isStored) throw new TranscriptError('usage', READ_ONLY_STORE);
  if (path === undefined || stats?.isFile() !== true)
    throw new TranscriptError('usage', '--write needs a regular file, not a pipe or a device');
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The path of the backup. */
export function rejectBackup(suffix: string | undefined): void {
  if (suffix === undefined || (suffix !== '' && !/[/\\\0]/.test(suffix))) return;
  throw new TranscriptError('usage', '--backup takes a suffix for the name of the old file, such as .bak');
}

export function unwritable(name: string, reason: string): TranscriptError {
  return new TranscriptError('file', `cannot write it: ${reason}`, { file: name });
}

/**
 * Throws TranscriptError if this Node cannot write such a file.
 * https://nodejs.org/api/zlib.html#zlibcreatezstdcompressoptions
 */
export function rejectUnwritablePacking(packing: Packing, name: string): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const knowsZstd = major > 23 || (major === 23 && minor >= 8) || (major === 22 && minor >= 15);
  if (packing === 'zstd' && !knowsZstd)
    throw new TranscriptError(
      'file',
      'writing .zst needs Node 22.15 or later; write a .gz file, or pipe the output through zstd',
      { file: name },
    );
}

/** By the name of a new file. */
export function packingNamed(name: string): Packing {
  if (/\.gz$/i.test(name)) return 'gzip';
  if (/\.parquet$/i.test(name)) return { kind: 'parquet' };
  return /\.zst$/i.test(name) ? 'zstd' : 'none';
}
