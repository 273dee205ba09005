/** Patterns as `.gitignore` has them: https://git-scm.com/docs/gitignore#_pattern_format. Loaded only where files are looked for. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { reached, type Step } from '../text/glob.js';

interface Pattern {
  readonly steps: readonly Step[];
  /** It brings back what one before it left out. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** It is about the last part of a path alone: no slash is in it. */
  readonly isForNames: boolean;
}

/** Whether the patterns leave a path out (true), bring it back (false) or say nothing of it. Paths are absolute. */
export type Verdict = (path: string, isFolder: boolean) => boolean | undefined;

/** What patterns say that are relative to a folder. The last one that fits decides. */
export function verdictOf(lines: readonly string[], folder: string): Verdict {
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

/** Whether the patterns fit the file or a folder that it is in. */
export function isWithin(file: string, verdict: Verdict): boolean {
  for (let path = dirname(file); dirname(path) !== path; path = dirname(path))
    if (verdict(path, true) === true) return true;
  return verdict(file, false) === true;
}

function fits(steps: readonly Step[], name: string): boolean {
  return reached(steps, [0], [...name]).at(-1) === name.length;
}

/** Git matches bytes: a character of ours is one of them. */
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

/** Spaces at the end do not count, unless there is a backslash before one. */
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

/** Undefined for what git matches with nothing: a set of characters without an end, a backslash at the end. */
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
      continue; // those folders hold it
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

/** What the `.gitignore` files say from the folder up to that of the repository, or to `root` where there is none. */
export function gitignoreVerdict(root: string): Verdict {
  const known = new Map<string, { readonly verdict: Verdict | undefined; readonly isTop: boolean }>();
  const top = repositoryOf(root) ?? root;
  const at = (folder: string) => {
    const found = known.get(folder) ?? {
      verdict: verdictIn(join(folder, '.gitignore'), folder),
      isTop: folder === top || isThere(join(folder, '.git')),
    };
    known.set(folder, found);
    return found;
  };
  return (path, isFolder) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const { verdict, isTop } = at(folder);
      const said = verdict?.(path, isFolder);
      if (said !== undefined) return said;
      if (isTop || dirname(folder) === folder) return undefined;
    }
  };
}

/** The folder of the repository that holds a folder. */
function repositoryOf(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    if (isThere(join(path, '.git'))) return path;
    if (dirname(path) === path) return undefined;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function verdictIn(file: string, folder: string): Verdict | undefined {
  let text: string;
  try {
    if (!lstatSync(file).isFile()) return undefined; // git follows no link here
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  return verdictOf(text.replace(/^\ufeff/, '').split(/\r?\n/), folder);
}
