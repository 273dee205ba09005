/**
 * Temporary files beside a file that is being replaced: their names, opening them, and removing those of killed runs.
 */
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Follows no link, opens no existing file, and lets no other user read it. */
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDWR } = constants;
const NEW_FILE = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
const PRIVATE = 0o600;

/** After the prefix: the process id, a hash of its machine, and random characters. */
const OURS = /^(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.tmp$/;
/** The most bytes of the target's name in it: most systems allow 255 bytes in all. */
const MOST_OF_NAME = 190;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface OpenTemporary {
  readonly path: string;
  readonly fd: number;
}

/** A new, empty file beside `target`. */
export function openTemporary(target: string): OpenTemporary {
  const random = crypto().randomBytes(8).toString('hex');
  const path = join(dirname(target), `${prefixOf(target)}${process.pid}-${machine()}-${random}.tmp`);
  return { path, fd: openSync(path, NEW_FILE, PRIVATE) };
}

/**
 * A new file without a name, of which nothing is left however the program ends: beside `target`, or in the system's
 * temporary folder if that folder is not writable.
 */
export function openNameless(target: string): number {
  try {
    return namelessBeside(target);
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return namelessBeside(join(tmpdir(), basename(target)));
  }
}

/** O_TMPFILE, which `fs.constants` lacks: https://man7.org/linux/man-pages/man2/open.2.html */
const TEMPORARY = process.platform === 'linux' ? 0o20000000 | constants.O_DIRECTORY : undefined;

/** Not every file system knows the flag: then a signal just before the name is removed leaves an empty file. */
function namelessBeside(target: string): number {
  try {
    if (TEMPORARY !== undefined) return openSync(dirname(target), TEMPORARY | O_RDWR | O_EXCL, PRIVATE);
  } catch {
    // what is wrong with the folder itself shows below
  }
  const { path, fd } = openTemporary(target);
  try {
    unlinkSync(path);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Removes the temporary files of killed runs beside `target`. */
export function removeStale(target: string): void {
  const folder = dirname(target);
  const prefix = prefixOf(target);
  for (const name of namesLikeOurs(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(prefix) || !isStale(path, name.slice(prefix.length))) continue;
    rmSync(path, { force: true });
  }
}

/** A regular file with our name and owner whose process has ended, or, if that is unknown, which is a day old. */
function isStale(path: string, rest: string): boolean {
  const [, pid, on] = OURS.exec(rest) ?? [];
  if (pid === undefined) return false;
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return false;
  }
  if (stats === undefined || !stats.isFile() || stats.uid !== (process.geteuid?.() ?? stats.uid)) return false;
  return (on === machine() && !isRunning(Number(pid))) || Date.now() - stats.mtimeMs > DAY_MS;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** By folder, so that each is listed only once. */
const listed = new Map<string, readonly string[]>();

function namesLikeOurs(folder: string): readonly string[] {
  let names = listed.get(folder);
  if (names === undefined) {
    try {
      names = readdirSync(folder).filter((name) => name.includes('.ctx-trim-'));
    } catch {
      names = []; // the folder may be writable but not readable
    }
    listed.set(folder, names);
  }
  return names;
}

function prefixOf(target: string): string {
  let name = basename(target);
  while (Buffer.byteLength(name) > MOST_OF_NAME) name = [...name].slice(0, -1).join('');
  return `.${name}.ctx-trim-`;
}

let machineTag: string | undefined;

/** Identifies the scope of process ids: a machine, and on Linux a container. */
function machine(): string {
  if (machineTag === undefined) {
    let space = '';
    try {
      space = readlinkSync('/proc/self/ns/pid');
    } catch {
      // not Linux
    }
    machineTag = crypto().createHash('sha256').update(`${hostname()}\n${space}`).digest('hex').slice(0, 8);
  }
  return machineTag;
}

/** Loaded only to write files, because it takes milliseconds. */
function crypto(): typeof import('node:crypto') {
  return createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
}
