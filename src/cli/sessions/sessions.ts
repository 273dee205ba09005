/** The sessions that agents left on this machine: of files only names, times, and ids that names lack are read. */
import { accessSync, constants, type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { isTranscriptError } from '../../errors.js';
import { type Store, sessionIds, sessionsAmong } from '../../formats/agent.js';
import { rememberFile, WITH_STORE } from '../../formats/agents.js';
import type { LeftOutStore } from '../../omissions.js';
import { isMisnamed } from '../files/misnamed.js';
import { missingIn, type StoredSession, sessionRows } from '../files/stored.js';
import type { Terminal } from '../terminal/terminal.js';
import { headOf } from './ends.js';

export interface SessionFile {
  /** Of the agent. */
  readonly agent: string;
  /** Absolute. */
  readonly path: string;
  /** As the agent names it; else the name of its file. */
  readonly id: string;
  /** What its path alone calls it: `@` takes this, too. */
  readonly name: string;
  /** The id of the session that it belongs to: its own, or that of the session whose sub-agent it is. */
  readonly session: string;
  /** Its folder below that of the agent, which many agents name by the project. */
  readonly folder: string;
  /** When the file changed: milliseconds since 1970. */
  readonly changed: number;
  /** A sub-agent of a session. */
  readonly isPart: boolean;
}

type Env = Terminal['env'];

/** What cannot be read, or what else figures are or will be without. */
export interface LeftOut extends LeftOutStore {
  readonly isDatabase?: true;
  /** They are listed. */
  readonly isListed?: true;
  /** It is the same file as one that is read: no figure lacks it. */
  readonly isCopy?: true;
}

export function leftOutText({ path, why, isListed }: LeftOut): string {
  return `ctx-trim: warning: ${path}${isListed ? ':' : ' is left out:'} ${why}`;
}

type LeaveOut = (one: LeftOut) => void;

/** All sessions, the last changed first; of one agent if it is named. `leaveOut` hears of what cannot be read. */
export function findSessions(env: Env, agent?: string, leaveOut: LeaveOut = () => {}): readonly SessionFile[] {
  const leave = unreadLeaver(leaveOut);
  const kept = WITH_STORE.filter(({ id }) => agent === undefined || id === agent).flatMap(({ id, stores }) =>
    stores
      .flatMap((store) => rowsOf(store, env, (one) => leaveOut({ agent: id, isDatabase: true, ...one }), leave(id)))
      .map((file) => ({ agent: id, ...file })),
  );
  const isKept = new Set(kept.map(({ agent: of, id }) => `${of} ${id}`)); // files of a time before the database
  const files = filesFound(env, agent, leaveOut, leave).filter(({ agent: of, id }) => !isKept.has(`${of} ${id}`));
  for (const file of kept) rememberFile(file.path, file);
  return kept.length === 0 ? files : newestFirst([...kept, ...files]);
}

/** Those that are files: no database is opened. */
export function findSessionFiles(env: Env, agent?: string, leaveOut: LeaveOut = () => {}): readonly SessionFile[] {
  return filesFound(env, agent, leaveOut, unreadLeaver(leaveOut));
}

function filesFound(env: Env, agent: string | undefined, leaveOut: LeaveOut, leave: UnreadLeaver) {
  const found = WITH_STORE.filter(({ id }) => agent === undefined || id === agent).flatMap(({ id, stores }) =>
    stores
      .filter(({ database }) => database === undefined)
      .flatMap((store) =>
        foldersOf(store, env).flatMap((folder) =>
          sessionsIn(folder, store, leave(id)).map((file) => ({ agent: id, ...file })),
        ),
      ),
  );
  const files = eachOnce(found, leaveOut);
  for (const file of files) rememberFile(file.path, file);
  return newestFirst(files);
}

/** A file with several names, as hard links and links to files are, is one session: the first name in order counts. */
function eachOnce(found: readonly (SessionFile & Linked)[], leaveOut: LeaveOut): SessionFile[] {
  const known = new Map<string, string>();
  return [...found]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ inode, ...file }) => {
      const { agent, path } = file;
      const first = known.get(`${agent} ${inode}`);
      if (first === undefined || first === path) {
        known.set(`${agent} ${inode}`, path);
        return [file];
      }
      leaveOut({ agent, path, why: `it is the same file as ${first}`, isCopy: true });
      return [];
    });
}

interface Linked {
  readonly inode: string;
}

function newestFirst(sessions: SessionFile[]): SessionFile[] {
  return sessions.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1));
}

/** The folders of an agent, in the syntax of the platform. */
export function foldersOf(store: Store, env: Env, platform: NodeJS.Platform = process.platform): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const moved = (store.movedBy ?? []).flatMap((name) => (env[name] ?? '').split(','));
  const named = moved.map((folder) => folder.trim()).filter((folder) => folder !== '');
  if (named.length > 0)
    return named.flatMap((folder) => (store.below ?? ['']).map((below) => path.join(folder, below)));
  return store.folders.flatMap((folder) => expanded(folder, env, platform));
}

/** Editors that are VS Code under other names. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

type LeaveOutHere = (one: Omit<LeftOut, 'agent'>) => void;

/** The sessions in databases. `leaveOut`: those that cannot be read, or not whole. */
function rowsOf(store: Store, env: Env, leaveOut: LeaveOutHere, onError: OnError): Omit<SessionFile, 'agent'>[] {
  const { database } = store;
  if (database === undefined) return [];
  return databasesOf(store, env, onError).flatMap((path) => {
    try {
      const rows = sessionRows(path, database).map((row) => sessionIn(path, row));
      const lacks = missingIn(path, database);
      if (lacks !== undefined) leaveOut({ path, why: lacks, isListed: true });
      return rows;
    } catch (error) {
      if (!isTranscriptError(error)) throw error;
      const { instead } = database;
      const why = instead === undefined ? error.message : `${error.message}; or write a file with: ${instead}`;
      leaveOut({ path, why });
      return [];
    }
  });
}

/** The databases that are there, unopened. */
export function databasesOf({ files, database, ...store }: Store, env: Env, onError: OnError = () => {}): string[] {
  if (database === undefined) return [];
  return foldersOf({ files, ...store }, env).flatMap((folder) =>
    entriesOf(folder, onError).flatMap(({ name }) => (files.test(name) ? join(folder, name) : [])),
  );
}

function sessionIn(path: string, { id, changed, folder, parent }: StoredSession): Omit<SessionFile, 'agent'> {
  return {
    path: join(path, String(id)),
    id: String(id),
    name: String(id),
    session: String(parent ?? id),
    folder: String(folder ?? ''),
    changed: Number(changed) || (statsOf(path)?.mtimeMs ?? 0),
    isPart: typeof parent === 'string',
  };
}

/** A folder with `~` or `<data>` at its start; none if the environment does not say where that is. */
function expanded(folder: string, env: Env, platform: NodeJS.Platform): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  const [start = '', ...rest] = folder.split('/');
  if (start === '~') return home ? [path.join(home, ...rest)] : [];
  const data = new Map<string, string | undefined>([
    ['win32', env['APPDATA']],
    ['darwin', home && path.join(home, 'Library', 'Application Support')],
  ]);
  const base = data.has(platform) ? data.get(platform) : home && path.join(home, '.config');
  const [, only] = /^<data (.+)>$/.exec(start) ?? [];
  const editors = only === undefined ? EDITORS : [only];
  return base ? editors.map((editor) => path.join(base, editor, 'User', 'globalStorage', ...rest)) : [];
}

/** Errors of what is not there. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

/** Undefined for what is not there. */
function whyUnread(path: string, error: unknown): string | undefined {
  if (isMisnamed(path, error)) return 'its name is not UTF-8';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (ABSENT.has(code)) return undefined;
  return DENIED.has(code) ? `permission to read it is denied (${code})` : `it cannot be read (${code})`;
}

const DENIED = new Set(['EACCES', 'EPERM']);

/** Leaves out what cannot be read. Of a folder that holds it, such as the home folder, an agent hears once. */
function unreadLeaver(leaveOut: LeaveOut): UnreadLeaver {
  const told = new Set<string>();
  return (agent) => (path, error) => {
    const why = whyUnread(path, error);
    const folder = why === undefined ? path : outermostUnread(path, error as NodeJS.ErrnoException);
    if (why === undefined || told.has(`${agent} ${folder}`)) return;
    told.add(`${agent} ${folder}`);
    leaveOut({ agent, path: folder, why });
  };
}

/** The outermost folder of a path that cannot be entered for the same reason, else the path itself. */
function outermostUnread(path: string, { code }: NodeJS.ErrnoException): string {
  const folders = [dirname(path)];
  while (folders[0] !== dirname(folders[0]!)) folders.unshift(dirname(folders[0]!));
  return folders.find((folder) => code === whyClosed(folder)) ?? path;
}

function whyClosed(folder: string): string | undefined {
  try {
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

type UnreadLeaver = (agent: string) => OnError;
type OnError = (path: string, error: unknown) => void;

function sessionsIn(root: string, store: Store, onError: OnError): (Omit<SessionFile, 'agent'> & Linked)[] {
  return sessionsAmong(namesBelow(root, '', onError), store).flatMap((name) => {
    const path = join(root, name);
    const stats = statsOf(path, onError);
    if (stats?.isFile() !== true) return [];
    const ids = sessionIds(name, store, (id) => id.exec(headOf(path))?.[1]);
    const folder = store.isByTime ? '' : name.slice(0, Math.max(0, name.indexOf('/')));
    const isPart = store.parts?.test(name) === true;
    return [{ path, ...ids, folder, changed: stats.mtimeMs, isPart, inode: `${stats.dev}:${stats.ino}` }];
  });
}

/** No agent has deeper folders. */
const DEEPEST = 6;

/** The files below a folder, with slashes. Links to folders are not followed. */
function namesBelow(root: string, below: string, onError: OnError, depth = 0): string[] {
  return entriesOf(join(root, below), onError).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (!entry.isDirectory()) return [name];
    return depth < DEEPEST ? namesBelow(root, name, onError, depth + 1) : [];
  });
}

function entriesOf(folder: string, onError: OnError): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    onError(folder, error);
    return [];
  }
}

function statsOf(path: string, onError: OnError = () => {}) {
  try {
    return statSync(path);
  } catch (error) {
    onError(path, error);
    return undefined;
  }
}
