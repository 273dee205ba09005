/** Looks for the nearest config that may be trusted: whoever can put a file into a folder above must not decide what runs here. */
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
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { configError } from '../errors.js';
import type { Terminal } from '../io/terminal.js';

const NAMES = ['ctx-trim.config.json', 'ctx-trim.config.yaml', 'ctx-trim.config.yml'];

export interface Found {
  readonly path: string;
  readonly text: string;
}

/**
 * The nearest config from the working directory up to the folder of the repository (it has `.git`), the home folder or the root. What
 * another user owns or may write is passed over with a warning.
 */
export function findConfig({ cwd, stderr }: Terminal): Found | undefined {
  const home = identity(homedir());
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const path of NAMES.map((name) => join(folder, name))) {
      const opened = openTrusted(path);
      if (opened === undefined) continue;
      if (typeof opened === 'object') return { path, ...opened };
      const name = relative(cwd, path);
      stderr.write(
        `ctx-trim: warning: ${name} is passed over: ${opened}; if it is yours, name it with --config ${name}\n`,
      );
    }
    const isLast = dirname(folder) === folder || identity(folder) === home;
    if (isLast || lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return undefined;
  }
}

/** The text of a config, or why it is not to be trusted; undefined where there is none. What is judged is what is read. */
function openTrusted(path: string): Pick<Found, 'text'> | string | undefined {
  let fd: number | undefined;
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (link === undefined) return undefined;
    if (isForeign(link)) return 'another user owns it';
    if (!statSync(path).isFile()) return 'it is no file';
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    if (isForeign(stats)) return 'another user owns it';
    if (!stats.isFile()) return 'it is no file';
    if (isOpenToOthers(stats)) return 'other users may write it';
    return { text: readFileSync(fd, 'utf8') };
  } catch (error) {
    return `it cannot be read (${(error as NodeJS.ErrnoException).code})`;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Neither ours nor the administrator's. Windows has no such owners. */
function isForeign({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

const BY_GROUP = 0o020;
const BY_ALL = 0o002;

/** A group of one's own, as many systems give each user but root one with the user's number, has nobody else in it. */
function isOpenToOthers({ mode, uid, gid }: Stats): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return false;
  const isOwnGroup = own !== 0 && uid === own && gid === own && process.getegid?.() === gid;
  return (mode & BY_ALL) !== 0 || ((mode & BY_GROUP) !== 0 && !isOwnGroup);
}

/** The same for every name of a folder. */
function identity(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Throws TranscriptError where a file that a found config names stands outside the config's folder: the first that does. */
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
        `\`${path}\` is outside the folder of this config, which was found and not named; move the file there, or name the config: --config ${file}`,
      );
  }
}
