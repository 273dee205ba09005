/** Sessions that are no file of their own: rows of a database, or spread over many files. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Database, Select, Spread } from '../../formats/agent.js';
import { WITH_STORE } from '../../formats/agents.js';
import { parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { type SafeText, safe, shown } from '../../safe/text.js';
import { plural } from '../../text/words.js';
import type { Terminal } from '../terminal/terminal.js';
import { openDatabase } from './database.js';
import { statsAt } from './stats-at.js';

/** Of a session in a database. */
export type StoredSession = ReturnType<Select>[number];

const STORES = WITH_STORE.flatMap(({ stores }) => stores);

/**
 * The session at a path as JSON; undefined for a file of its own. Says on stderr what the database lacks of it. Throws
 * TranscriptError if it cannot be read.
 */
export function storedAt(path: string, terminal: Pick<Terminal, 'stderr'>): string | undefined {
  const file = dirname(path);
  const name = path.slice(file.length + 1);
  const database = databaseAt(file);
  if (database !== undefined && statsAt(file)?.isFile() === true) {
    const json = rowOf(file, name, database);
    tellMissing(file, name, database, terminal);
    return json;
  }
  const torn: string[] = [];
  const json = gathered(path, torn);
  if (torn.length > 0) terminal.stderr.write(safe`ctx-trim: warning: ${shown(path)}: ${tornText(torn)}\n`);
  return json;
}

function tornText(torn: readonly string[]): SafeText {
  const what = torn.length === 1 ? safe`a file of it is` : safe`${torn.length} files of it are`;
  return safe`${what} not JSON, and left out: ${shown(torn[0]!)}`;
}

/** Files of a session that is spread over many, which are no JSON. */
export function tornFiles(path: string): string[] {
  const torn: string[] = [];
  gathered(path, torn);
  return torn;
}

/** The paths of the sessions in an agent's database; undefined for another file. Throws TranscriptError. */
export function sessionsKept(name: string, cwd: string): string[] | undefined {
  const path = resolve(cwd, name);
  const database = databaseAt(path);
  try {
    const ids = database && sessionRows(path, database).map(({ id }) => join(name, String(id)));
    if (ids?.length === 0) throw new TranscriptError('file', 'the database holds no session');
    return ids;
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ file: name }) : error;
  }
}

export function isDatabase(path: string): boolean {
  return databaseAt(path) !== undefined;
}

function databaseAt(path: string): Database | undefined {
  return STORES.find(({ database, files }) => database !== undefined && files.test(lastOf(path)))?.database;
}

/** Whether the session of a path has files that can change while this one does not. */
export function isSpread(path: string): boolean {
  return spreadOf(path) !== undefined;
}

function spreadOf(path: string): Spread | undefined {
  return STORES.find((store) => store.spread?.of.test(slashed(path)))?.spread;
}

function rowOf(file: string, id: string, database: Database): string {
  const session = database.session(id, openDatabase(file));
  if (session === undefined) throw new TranscriptError('file', `the database holds no session ${id}`);
  return printed(session);
}

/** The rows of all sessions in a database. */
export function sessionRows(file: string, { sessions }: Database): readonly StoredSession[] {
  const select = openDatabase(file);
  for (const sql of sessions.slice(0, -1)) {
    try {
      return select(sql);
    } catch {
      // the tables are those of another version
    }
  }
  return select(sessions.at(-1)!);
}

/** How many messages of how many sessions a database lists and does not hold; undefined if none. */
export function missingIn(file: string, database: Database): SafeText | undefined {
  const counts = [...missingOf(openDatabase(file), database).values()];
  const messages = counts.reduce((sum, count) => sum + count, 0);
  if (messages === 0) return undefined;
  const [are, them] = messages === 1 ? [safe`is`, safe`it`] : [safe`are`, safe`them`];
  const what = safe`${plural(messages, 'message')} of ${plural(counts.length, 'session')}`;
  return safe`${what} ${are} listed in it but missing: figures are without ${them}`;
}

const told = new WeakMap<object, Set<string>>(); // by the terminal of a run

/** Once for each database, when the first session that lacks messages is read. */
function tellMissing(file: string, id: string, database: Database, { stderr }: Pick<Terminal, 'stderr'>): void {
  const here = told.get(stderr) ?? new Set();
  told.set(stderr, here);
  if (here.has(file) || !missingOf(openDatabase(file), database).has(id)) return;
  here.add(file);
  stderr.write(safe`ctx-trim: warning: ${shown(file)}: ${missingIn(file, database)!}\n`);
}

const missing = new WeakMap<Select, ReadonlyMap<unknown, number>>();

/** By session; asked once per state of the database. */
function missingOf(select: Select, { incomplete }: Database): ReadonlyMap<unknown, number> {
  const rows = () => (incomplete === undefined ? [] : select(incomplete));
  const known = missing.get(select) ?? new Map(rows().map((row) => [row['id'], Number(row['missing'])]));
  missing.set(select, known);
  return known;
}

function gathered(path: string, torn: string[]): string | undefined {
  const { of, session } = spreadOf(path) ?? {};
  if (of === undefined || session === undefined) return undefined;
  const root = slashed(path).replace(of, '');
  const own = parse(readFileSync(path));
  const json = session(own, (folder) => valuesIn(join(root, folder), torn));
  return json === undefined ? undefined : printed(json);
}

function valuesIn(folder: string, torn: string[]) {
  try {
    const paths = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
    return paths.sort().flatMap((path) => {
      try {
        return [parse(readFileSync(path))];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error; // of the file system
        torn.push(path);
        return [];
      }
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1);
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
