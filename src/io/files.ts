import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TranscriptError } from '../errors.js';
import { unreadable } from './input.js';

const TRANSCRIPTS = /\.(json|jsonl|ndjson|traj|eval)$/i;
const GLOB = /[*?[\]{}!]/;

/** An input, and the folder it was found in, where the user named only that. */
export interface NamedInput {
  readonly name: string;
  readonly folder?: string;
}

/**
 * The inputs that a user's words name, in order: files as they are, folders as every transcript file below them (.json, .jsonl,
 * .ndjson, .traj, .eval), globs as what they match; `-`, or nothing at all, is stdin. Throws TranscriptError for what names nothing.
 */
export async function expandInputs(words: readonly string[], cwd: string): Promise<NamedInput[]> {
  if (words.length === 0) return [{ name: '-' }];
  const inputs = new Map<string, NamedInput>();
  for (const word of words)
    for (const input of await expandWord(word, cwd)) if (!inputs.has(input.name)) inputs.set(input.name, input);
  return [...inputs.values()];
}

async function expandWord(word: string, cwd: string): Promise<NamedInput[]> {
  if (word === '-') return [{ name: word }];
  const stats = statsOf(word, cwd);
  if (stats?.isDirectory()) return filesBelow(word, cwd).map((name) => ({ name, folder: word }));
  if (stats !== undefined || !GLOB.test(word)) return [{ name: word }];
  const { glob } = await import('tinyglobby');
  const found = (await glob(word, { cwd, dot: true, expandDirectories: false })).sort();
  if (found.length === 0) throw new TranscriptError('file', 'no file matches this pattern', { file: word });
  return found.map((name) => ({ name }));
}

function statsOf(word: string, cwd: string): Stats | undefined {
  try {
    return statSync(resolve(cwd, word), { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(word, error);
  }
}

/** A link to a pipe or a device is none: it could wait for ever. One that leads nowhere is reported when it is opened. */
function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() !== false);
}

function filesBelow(folder: string, cwd: string): string[] {
  const found: string[] = [];
  const visit = (path: string) => {
    try {
      for (const entry of readdirSync(resolve(cwd, path), { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      )) {
        const child = join(path, entry.name);
        if (entry.isDirectory()) visit(child);
        else if (TRANSCRIPTS.test(entry.name) && isFile(entry, resolve(cwd, child))) found.push(child);
      }
    } catch (error) {
      throw unreadable(path, error);
    }
  };
  visit(folder);
  if (found.length === 0)
    throw new TranscriptError('file', 'there is no transcript file (.json, .jsonl) in this folder or below it', {
      file: folder,
    });
  return found;
}
