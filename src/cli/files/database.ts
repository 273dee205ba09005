/**
 * Reads databases of SQLite as they are now, and writes nothing beside them. One with a log beside it is copied with
 * that; the copy has lost its name once it is open, so that nothing is left however the program ends.
 */
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Select } from '../../formats/agent.js';
import { uninterrupted } from './signals.js';
import { statsAt } from './stats-at.js';

/** What belongs to a database: https://www.sqlite.org/tempfiles.html (2026-11-26) */
const LOGS = ['-wal', '-journal'];
/** A copy is made again if the database changed meanwhile. */
const MOST_COPIES = 3;

interface Opened {
  readonly state: string;
  readonly query: Select;
}

const opened = new Map<string, { readonly state: string; readonly select: Select }>();

/** Opens it once per state. Throws TranscriptError, here and in queries. */
export function openDatabase(path: string): Select {
  const known = opened.get(path);
  if (known?.state === stateOf(path)) return known.select;
  const reader = driver();
  if (reader === undefined) throw new TranscriptError('file', `it is a database, which needs ${READERS}`);
  return attempt(() => {
    const { state, query } = (hasLog(path) ? undefined : inPlace(path, reader)) ?? copied(path, reader);
    const select: Select = (sql, ...values) => attempt(() => query(sql, ...values));
    opened.set(path, { state, select });
    return select;
  });
}

const READERS = 'Node 22.13 or later, or the package node-sqlite3-wasm beside ctx-trim';

function hasLog(path: string): boolean {
  return LOGS.some((log) => sizeOf(path + log) > 0);
}

/**
 * Without locks. Others can write meanwhile, and then what was read may be half of one state. Undefined for a driver
 * that takes no options in the path, as Node does from 22.15 on.
 */
function inPlace(path: string, { open, takesOptions }: Driver): Opened | undefined {
  const state = stateOf(path);
  let query: Select;
  try {
    if (!takesOptions) return undefined;
    query = open(`${pathToFileURL(path).href}?immutable=1`);
  } catch {
    return undefined;
  }
  return {
    state,
    query(...values) {
      const rows = query(...values);
      if (stateOf(path) !== state) throw new TranscriptError('file', CHANGED);
      return rows;
    },
  };
}

const CHANGED = 'it changed while it was read; try again';

function copied(path: string, driver: Driver, left = MOST_COPIES): Opened {
  if (left === 0) throw new TranscriptError('file', CHANGED);
  const state = stateOf(path);
  const query = uninterruptedly(() => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
    try {
      const copy = join(folder, 'copy.db');
      for (const end of ['', ...LOGS])
        if (end === '' || sizeOf(path + end) > 0) copyFileSync(path + end, copy + end, constants.COPYFILE_FICLONE);
      const query = driver.open(copy);
      query('SELECT count(*) FROM sqlite_master'); // opens the log
      return query;
    } finally {
      // open files keep their names on Windows
      if (process.platform !== 'win32') remove(folder);
      else if (leftovers.push(folder) === 1) process.once('exit', () => leftovers.forEach(remove));
    }
  });
  return stateOf(path) === state ? { state, query } : copied(path, driver, left - 1);
}

/** Folders to remove when the program ends. */
const leftovers: string[] = [];

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The result of short work that a signal does not end half-way. */
function uninterruptedly<T>(work: () => T): T {
  let result: { readonly value: T } | { readonly error: unknown } | undefined;
  uninterrupted(() => {
    try {
      result = { value: work() };
    } catch (error) {
      result = { error };
    }
  });
  if ('error' in result!) throw result.error;
  return result!.value;
}

function stateOf(path: string): string {
  return ['', ...LOGS]
    .map((end) => statsAt(path + end))
    .map((stats) => (stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`))
    .join(';');
}

function sizeOf(path: string): number {
  return statsAt(path)?.size ?? 0;
}

// --- what reads it

interface Driver {
  open(path: string): Select;
  /** The path may be a URL with options. */
  readonly takesOptions: boolean;
}

const require = createRequire(import.meta.url);
let found: { readonly driver: Driver | undefined } | undefined;

/** Undefined if there is none. */
function driver(): Driver | undefined {
  found ??= { driver: ofNode() ?? ofPackage() };
  return found.driver;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => { prepare(sql: string): { all(...values: readonly string[]): Rows } };
}
interface WasmSqlite {
  readonly Database: new (path: string) => { all(sql: string, values?: readonly string[]): Rows };
}
type Rows = ReturnType<Select>;

/** https://nodejs.org/api/sqlite.html (2026-11-26) */
function ofNode(): Driver | undefined {
  const sqlite = silently(() => attempted(() => require('node:sqlite') as NodeSqlite));
  if (sqlite === undefined) return undefined;
  return {
    takesOptions: true,
    open(path) {
      const database = new sqlite.DatabaseSync(path);
      return (sql, ...values) => database.prepare(sql).all(...values);
    },
  };
}

/** It has no shared memory, which the log needs unless nobody else reads: https://www.sqlite.org/wal.html#noshm */
function ofPackage(): Driver | undefined {
  const sqlite = attempted(() => require('node-sqlite3-wasm') as WasmSqlite);
  if (sqlite === undefined) return undefined;
  return {
    takesOptions: false,
    open(path) {
      const database = new sqlite.Database(path);
      database.all('PRAGMA locking_mode = exclusive');
      return (sql, ...values) => database.all(sql, values);
    },
  };
}

function attempted<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** Node warns that its module is experimental. */
function silently<T>(action: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return action();
  } finally {
    process.emitWarning = emitWarning;
  }
}

// --- errors

const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/no such (?:table|column)/i, 'its tables are none that are known'],
  [/not a database|malformed|corrupt/i, 'it is broken'],
  [/locked|busy/i, 'another program has locked it; try again'],
];

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (isTranscriptError(error)) throw error;
    const { message } = error as Error;
    const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1];
    throw new TranscriptError(
      'file',
      reason === undefined ? `it cannot be read: ${message}` : `${reason} (${message})`,
    );
  }
}
