/** What a config may do that nobody named: whoever can put a file into a folder above must not decide what runs here. Loaded only where there is a config. */
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
import { isAbsolute, join, sep } from 'node:path';
import { configError } from '../../errors.js';
import type { Options, Reach } from '../../options/option.js';
import { kebab } from '../../options/parse.js';

/** The text of a config, or why it is not to be trusted; undefined where there is none. What is judged is what is read. */
export function openTrusted(path: string): { readonly text: string } | string | undefined {
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

/** The same for every name of a file or a folder. */
function identity(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
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

interface Defaults {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly isFound?: boolean;
}

/** A default that no command knows is a slip of the pen; in a config that nobody named, one that reaches further than a recording is refused. */
export function rejectDefaults({ defaults, file, isFound }: Defaults, commands: readonly Options[]): void {
  const known = new Map<string, Reach | undefined>();
  for (const [key, { reach }] of commands.flatMap((options) => Object.entries(options)))
    known.set(kebab(key), known.get(kebab(key)) ?? reach);
  known.delete('config'); // it would come too late
  for (const name of Object.keys(defaults)) {
    const wrong = (message: string) => configError(file!, `defaults.${name}`, message);
    if (!known.has(name))
      throw wrong(`no command has such an option; there are ${[...known.keys()].sort().join(', ')}`);
    const reach = known.get(name);
    if (isFound && reach !== undefined)
      throw wrong(
        `it ${REACHES[reach]}, which a config that was found must not; give --${name}, or name the config: --config ${file}`,
      );
  }
}

const REACHES: Readonly<Record<Reach, string>> = {
  writes: 'writes files',
  reads: 'reads other files',
  runs: 'may run code',
  lifts: 'lifts a limit that protects the machine',
};
