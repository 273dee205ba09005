/** Patterns of `.gitignore`: https://git-scm.com/docs/gitignore#_pattern_format. Loaded only to search for files. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { matches, type Step } from '../../text/glob.js';

interface Pattern {
  readonly steps: readonly Step[];
  /** It includes files again that an earlier pattern excluded. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** It has no slash, so it matches only the last part of a path. */
  readonly isForNames: boolean;
}

/** Whether the patterns exclude an absolute path (true), include it (false) or do not match it (undefined). */
export type Exclusion = (path: string, isFolder: boolean) => boolean | undefined;

/** A test with patterns relative to a folder. The last match decides. */
export function exclusionOf(lines: readonly string[], folder: string): Exclusion {
  const patterns = lines.flatMap(patternIn).reverse();
  return (path, isFolder) => {
    const inside = relative(folder, path);
    if (inside === '' || inside.startsWith('..')) return undefined;
    const name = bytesOf(inside.split(sep).join('/'));
    const last = name.slice(name.lastIndexOf('/') + 1);
    const found = patterns.find(
      ({ steps, isForFolders, isForNames }) => (isFolder || !isForFolders) && fits(steps, isForNames ? last : name),
    );
    return found && !found.isNegated;
  };
}

/** Whether a pattern matches the file or one of its folders. */
export function isWithin(file: string, exclusion: Exclusion): boolean {
  for (let path = dirname(file); dirname(path) !== path; path = dirname(path))
    if (exclusion(path, true) === true) return true;
  return exclusion(file, false) === true;
}

function fits(steps: readonly Step[], name: string): boolean {
  return matches(steps, [...name]);
}

/** Git matches bytes, so each byte becomes a character. */
function bytesOf(text: string): string {
  return Buffer.from(text).latin1Slice();
}

function patternIn(line: string): Pattern[] {
  let text = withoutSpacesBehind(line);
  if (text === '' || text.startsWith('#')) return [];
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const isForFolders = text.endsWith('/');
  if (isForFolders) text = text.slice(0, -1);
  const isForNames = !text.includes('/');
  const steps = stepsOf(bytesOf(text.replace(/^\//, '')), isForNames);
  return steps === undefined ? [] : [{ steps, isNegated, isForFolders, isForNames }];
}

/** Trailing spaces are ignored unless escaped with a backslash. */
function withoutSpacesBehind(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

const isNoSlash = (character: string) => character !== '/';
const TOKEN = /\*+|\?|\[(?:[!^]|(?![!^]))(?:\]|\[:\w*:\]|\\[\s\S]|[^\]\\])(?:\[:\w*:\]|\\[\s\S]|[^\]\\])*\]|\\?[\s\S]/g;

/** Undefined for patterns that git never matches: an unclosed set of characters, or a trailing backslash. */
function stepsOf(pattern: string, isForNames: boolean): Step[] | undefined {
  const steps: Step[] = [];
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const end = index + token.length;
    const isAlone = (index === 0 || pattern[index - 1] === '/') && (end === pattern.length || pattern[end] === '/');
    if (token === '[' || token === '\\') return undefined;
    if (token.startsWith('*')) {
      if (token.length === 1 || !isAlone || isForNames) steps.push('within');
      else if (end < pattern.length) steps.push('folders');
      else steps.push('one', 'run');
    } else if (token === '/' && pattern[index - 1] === '*' && steps.at(-1) === 'folders')
      continue; // the pattern matches everything in these folders
    else if (token === '?') steps.push({ fits: isNoSlash });
    else if (token.length > 1 && token.startsWith('[')) {
      const isIn = setOf(token);
      steps.push({ fits: (character) => isNoSlash(character) && isIn(character) });
    } else {
      const literal = token.at(-1)!;
      steps.push({ fits: (character) => character === literal });
    }
  }
  return steps;
}

const CLASSES = new Map<string, RegExp>([
  ['alnum', /[a-z\d]/i],
  ['alpha', /[a-z]/i],
  ['blank', /[ \t]/],
  ['cntrl', /[^ -~\x80-\xff]/],
  ['digit', /\d/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\v\f\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[\da-f]/i],
]);

/** `[a-z]`, `[!a]` or `[^a]`, `[[:digit:]]`. */
function setOf(token: string): (character: string) => boolean {
  const [, negation, body] = /^\[([!^]?)([\s\S]*)\]$/.exec(token)!;
  const members = [...body!.matchAll(/\[:(\w*):\]|(\\?[\s\S])(?:-(\\[\s\S]|[^\]]))?/g)].map(([, name, from, to]) => {
    if (name !== undefined) return (character: string) => CLASSES.get(name)?.test(character) === true;
    const [first, last] = [from!.at(-1)!, (to ?? from!).at(-1)!];
    return (character: string) => first <= character && character <= last;
  });
  return (character) => members.some((isIn) => isIn(character)) !== (negation !== '');
}

/** The `.gitignore` files from the folder up to the repository's, or up to `root` if there is no repository. */
export function gitignoreExclusion(root: string): Exclusion {
  const known = new Map<string, { readonly exclusion: Exclusion | undefined; readonly isTop: boolean }>();
  const top = repositoryOf(root) ?? root;
  const at = (folder: string) => {
    const found = known.get(folder) ?? {
      exclusion: exclusionIn(join(folder, '.gitignore'), folder),
      isTop: folder === top || isThere(join(folder, '.git')),
    };
    known.set(folder, found);
    return found;
  };
  return (path, isFolder) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const { exclusion, isTop } = at(folder);
      const said = exclusion?.(path, isFolder);
      if (said !== undefined) return said;
      if (isTop || dirname(folder) === folder) return undefined;
    }
  };
}

/** The repository of a folder. */
function repositoryOf(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    if (isThere(join(path, '.git'))) return path;
    if (dirname(path) === path) return undefined;
  }
}

/** Nothing is where it may not be looked for. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function exclusionIn(file: string, folder: string): Exclusion | undefined {
  let text: string;
  try {
    if (!lstatSync(file).isFile()) return undefined; // git does not follow links here
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  return exclusionOf(text.replace(/^\ufeff/, '').split(/\r?\n/), folder);
}
