/**
 * Restricts configs that were found and not named: whoever can write to a parent folder must not decide what runs here.
 * Loaded only if there is a config.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { configError } from '../../errors.js';
import type { Options, Reach } from '../../options/option.js';
import { kebab } from '../../options/parse.js';

/** What a config holds, or the reason not to trust it; undefined if there is none. Checks the very file it reads. */
export function openTrusted(path: string): { readonly bytes: Buffer } | string | undefined {
  let fd: number | undefined;
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (link === undefined) return undefined;
    if (isForeign(link)) return 'another user owns it';
    if (!statSync(path).isFile()) return 'it is not a regular file';
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    if (isForeign(stats)) return 'another user owns it';
    if (!stats.isFile()) return 'it is not a regular file';
    if (isOpenToOthers(stats)) return 'other users may write it';
    if (isFolderOpen(statSync(dirname(path)))) return 'other users may write to its folder';
    return { bytes: readFileSync(fd) };
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code})`;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Whether another user, except root, owns the file. Always false on Windows. */
function isForeign({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

const BY_GROUP = 0o020;
const BY_ALL = 0o002;

/** Many systems give each user a private group with the same number; write access for it is safe. */
function isOpenToOthers({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return false;
  const isOwnGroup = own !== 0 && uid === own && gid === own && process.getegid?.() === gid;
  return (mode & BY_ALL) !== 0 || ((mode & BY_GROUP) !== 0 && !isOwnGroup);
}

/** Where only the owner of a file may replace it, as in `/tmp`. */
const STICKY = 0o1000;

/** Whether others may put another file in the place of one in this folder. Only root is in the group 0. */
function isFolderOpen(stats: Stats): boolean {
  if (isForeign(stats)) return true;
  if ((stats.mode & STICKY) !== 0) return false;
  return isOpenToOthers(stats.gid === 0 ? { ...stats, mode: stats.mode & ~BY_GROUP } : stats);
}

/** The real path, the same for every name of a file. */
function identity(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Throws TranscriptError if a found config names a file outside its own folder. */
export function rejectEscapes(
  file: string,
  folder: string,
  named: readonly { readonly key: string; readonly path: string; readonly base: string }[],
): void {
  const root = identity(folder);
  for (const { key, path, base } of named) {
    const target = identity(join(identity(base), path));
    const isInside = target.startsWith(root.endsWith(sep) ? root : root + sep);
    if (isAbsolute(path) || path.split(/[/\\]/).includes('..') || !isInside)
      throw configError(
        file,
        key,
        `\`${path}\` is outside the folder of this config; move the file there, or name the config: --config ${file}`,
      );
  }
}

interface Defaults {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly isFound?: boolean;
}

/** Rejects defaults that no command has and, in a found config, defaults that write, read other files or run code. */
export function rejectDefaults({ defaults, file, isFound }: Defaults, commands: readonly Options[]): void {
  const known = new Map<string, Reach | undefined>();
  for (const [key, { reach }] of commands.flatMap((options) => Object.entries(options)))
    known.set(kebab(key), known.get(kebab(key)) ?? reach);
  known.delete('config'); // the config is already loaded
  for (const name of Object.keys(defaults)) {
    const wrong = (message: string) => configError(file!, `defaults.${name}`, message);
    if (!known.has(name))
      throw wrong(`no command has this option; the options are ${[...known.keys()].sort().join(', ')}`);
    const reach = known.get(name);
    if (isFound && reach !== undefined)
      throw wrong(
        `this option ${REACHES[reach]}, so a found config must not set it; ` +
          `use --${name}, or name the config: --config ${file}`,
      );
  }
}

const REACHES: Readonly<Record<Reach, string>> = {
  writes: 'writes files',
  reads: 'reads other files',
  runs: 'may run code',
  lifts: 'lifts a limit that protects the machine',
};
