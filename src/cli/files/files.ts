/** Finds the files of folders and patterns. Loaded only if an argument is one. */
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { isPattern, type NamedInput, pathOf, UNREADABLE, unreadable } from './input.js';
import { isMisnamed } from './misnamed.js';
import { statsAt } from './stats-at.js';
import { sessionsKept } from './stored.js';
import { withoutTwins } from './twins.js';

const TRANSCRIPTS = /\.(?:(?:json|jsonl|ndjson|traj)(?:\.(?:gz|zst))?|eval|parquet)$/i;

/** Whether the file name has an extension of transcripts. */
export function isTranscriptName(name: string): boolean {
  return TRANSCRIPTS.test(name);
}

/** Whether to skip a file that was found, not named. Paths are absolute. */
export type Skip = (path: string, isFolder: boolean) => boolean;

/**
 * The inputs of the arguments, in order: files, all transcript files below folders (.json, .jsonl, .ndjson, .traj,
 * also with .gz or .zst behind, .eval and .parquet), the sessions of an agent's database, and the matches of globs;
 * `-`, or no argument, is stdin. Links that are found with their files are left out, which is said. `skipBelow`: which
 * files to skip below a folder. Throws TranscriptError for one without files.
 */
export async function expandInputs(
  words: readonly string[],
  terminal: Pick<Terminal, 'cwd' | 'stderr'>,
  skipBelow: (folder: string) => Skip = () => () => false,
): Promise<readonly NamedInput[]> {
  const { cwd } = terminal;
  if (words.length === 0) return [{ name: '-' }];
  const inputs = new Map<string, NamedInput>();
  for (const word of words)
    for (const input of await expandWord(word, cwd, skipBelow)) {
      const key = input.bytes?.latin1Slice() ?? pathOf(input, { cwd }) ?? input.name;
      if (!inputs.has(key)) inputs.set(key, input);
    }
  return withoutTwins([...inputs.values()], terminal);
}

async function expandWord(word: string, cwd: string, skipBelow: (folder: string) => Skip): Promise<NamedInput[]> {
  if (word === '-') return [{ name: word }];
  const stats = statsOf(word, cwd);
  if (stats?.isDirectory()) return filesBelow(word, cwd, skipBelow(resolve(cwd, word)));
  if (stats !== undefined) return sessionsKept(word, cwd)?.map((name) => ({ name, folder: word })) ?? [{ name: word }];
  if (isPattern(word)) return globbed(word, cwd, skipBelow);
  const found = named(word, cwd);
  return found.length > 0 ? found : [{ name: word }];
}

async function globbed(word: string, cwd: string, skipBelow: (folder: string) => Skip): Promise<NamedInput[]> {
  const { glob } = await import('tinyglobby');
  const base = resolve(cwd, fixedPart(word));
  const skip = skipBelow(base);
  const kept = new Map<string, boolean>();
  const isKept = (path: string, isFolder: boolean): boolean => {
    if (path.length <= base.length) return true;
    const known = kept.get(path) ?? (isKept(dirname(path), true) && !skip(path, isFolder));
    kept.set(path, known);
    return known;
  };
  const found = (await glob(word, { cwd, dot: true, expandDirectories: false })).sort();
  const left = found.filter((name) => isKept(resolve(cwd, name), false));
  if (left.length === 0)
    throw new TranscriptError(
      'file',
      found.length === 0
        ? 'no file matches this pattern'
        : `every file that matches this pattern is left out ${BY_WHAT}`,
      { file: word },
    );
  return left.flatMap((name) => {
    const isLink = lstatSync(resolve(cwd, name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return named(name, cwd).map((input) => ({ ...input, folder: word, isLink }));
  });
}

/** The folders of a pattern without wildcards. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  return (
    parts
      .slice(
        0,
        parts.findIndex((part) => isPattern(part)),
      )
      .join('/') || (pattern.startsWith('/') ? '/' : '.')
  );
}

const BY_WHAT = '(.gitignore, check.ignore, --exclude or node_modules); name a file outright to have it read';

/** A file that was found; several if Node shows the same name for them. */
function named(name: string, cwd: string): NamedInput[] {
  return name.includes(UNREADABLE) ? spelledSo(name, cwd) : [{ name }];
}

/** The files for which Node shows this name. */
function spelledSo(word: string, cwd: string): NamedInput[] {
  const folder = dirname(word);
  if (folder.includes(UNREADABLE)) return [];
  try {
    const names = readdirSync(resolve(cwd, folder), { encoding: 'buffer' });
    return names
      .filter((name) => join(folder, name.toString()) === join(word))
      .map((name) => namedByBytes(folder, name, cwd));
  } catch {
    return [];
  }
}

/** Bytes that are not UTF-8 are shown as `\\xe9`. */
export function spelledOut(name: Buffer): string {
  const text = name.toString();
  if (!text.includes(UNREADABLE)) return text;
  return name.latin1Slice().replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

function namedByBytes(folder: string, name: Buffer, cwd: string): NamedInput {
  const bytes = Buffer.concat([Buffer.from(`${resolve(cwd, folder)}/`), name]);
  return { name: join(folder, spelledOut(name)), bytes };
}

function statsOf(word: string, cwd: string) {
  try {
    return statsAt(resolve(cwd, word));
  } catch (error) {
    throw unreadable(word, error);
  }
}

/** Not a link to a pipe or a device, which could block. A broken link is reported when it is opened. */
function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() !== false);
}

function filesBelow(folder: string, cwd: string, skip: Skip): NamedInput[] {
  const found: NamedInput[] = [];
  let left = 0;
  const visit = (path: string) => {
    for (const entry of entriesOf(path, cwd, found)) {
      const child = join(path, entry.name);
      const full = resolve(cwd, child);
      if (!entry.isDirectory() && !(isTranscriptName(entry.name) && isFile(entry, full))) continue;
      if (skip(full, entry.isDirectory())) left++;
      else if (entry.isDirectory()) visit(child);
      else for (const input of named(child, cwd)) found.push({ ...input, folder, isLink: entry.isSymbolicLink() });
    }
  };
  visit(folder);
  if (found.length === 0)
    throw new TranscriptError(
      'file',
      left === 0
        ? 'there is no transcript file (.json, .jsonl) in this folder or below it'
        : `every transcript file in this folder or below it is left out ${BY_WHAT}`,
      { file: folder },
    );
  return found;
}

/** A folder that cannot be read is an input that cannot be read: it is reported, and the rest is read. */
function entriesOf(path: string, cwd: string, found: NamedInput[]): Dirent[] {
  try {
    return readdirSync(resolve(cwd, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    for (const name of shownNames(path, cwd)) {
      const failure = isMisnamed(path, error)
        ? new TranscriptError('file', 'cannot read it: its name is not UTF-8; rename it first', { file: name })
        : unreadable(name, error);
      found.push({ name, content: () => raise(failure) });
    }
    return [];
  }
}

function shownNames(path: string, cwd: string): string[] {
  const names = named(path, cwd).map(({ name }) => name);
  return names.length === 0 ? [path] : names;
}

function raise(error: Error): never {
  throw error;
}
