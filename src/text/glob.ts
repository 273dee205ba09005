/** Shell patterns for names. Matching takes at most the pattern's length times the name's. */
import { TranscriptError } from '../errors.js';

export interface Glob {
  test(name: string): boolean;
}

/** The steps of a pattern. `within`: characters except slashes. `folders`: nothing, or characters up to a slash. */
export type Step =
  | 'run'
  | 'one'
  | 'within'
  | 'folders'
  | { readonly fits: (character: string) => boolean }
  | { readonly either: readonly Step[][] };

const TOKEN = /\[[^\]]+\]|\{[^{}]*\}|./gsu;

/** `*` any characters, `?` one, `[abc]` one of a set, `{a,b}` alternatives. Throws TranscriptError for `[z-a]`. */
export function globOf(pattern: string): Glob {
  if (isName(pattern)) return { test: (name) => name === pattern };
  const steps = stepsOf(pattern);
  return {
    test: (name) => matches(steps, [...name]),
  };
}

/** Whether a pattern matches its own text only. */
export function isName(pattern: string): boolean {
  return !/[*?[{]/.test(pattern);
}

/** Whether it is a valid pattern; only a set of characters can be invalid. */
export function isGlob(pattern: string): boolean {
  try {
    globOf(pattern);
    return true;
  } catch {
    return false;
  }
}

function stepsOf(pattern: string): Step[] {
  return (pattern.match(TOKEN) ?? []).map((token): Step => {
    if (token === '*') return 'run';
    if (token === '?') return 'one';
    if (token.length > 1 && token.startsWith('[')) return { fits: classOf(token) };
    if (token.length > 1 && token.startsWith('{')) return { either: token.slice(1, -1).split(',').map(stepsOf) };
    return { fits: (character) => character === token };
  });
}

function classOf(token: string): (character: string) => boolean {
  try {
    const pattern = new RegExp(`^${token.replace(/\\/g, '\\\\').replace(/^\[!/, '[^')}$`, 'u');
    return (character) => pattern.test(character);
  } catch {
    throw new TranscriptError(
      'usage',
      `\`${token}\` is not a set of characters that a name can be matched with; write it as [abc] or [a-z]`,
    );
  }
}

/** Whether the steps lead from the first character of a name to its end. */
export function matches(steps: readonly Step[], name: readonly string[]): boolean {
  const start = new Uint8Array(name.length + 1).fill(1, 0, 1);
  return reached(steps, start, name).at(-1) === 1;
}

/** Marks the positions at which the steps can end if they start at one of those marked; the last is the end. */
function reached(steps: readonly Step[], from: Uint8Array, name: readonly string[]): Uint8Array {
  let marks = from;
  for (const step of steps) {
    const first = marks.indexOf(1);
    if (first < 0) break;
    if (step === 'run') marks = marks.slice().fill(1, first);
    else if (step === 'within') marks = spread(marks, (at) => name[at] !== '/');
    else if (step === 'folders') {
      const own = marks;
      marks = spread(marks, () => true).map((mark, at) => (own[at] === 1 || name[at - 1] === '/' ? mark : 0));
    } else if (step !== 'one' && 'either' in step) marks = union(step.either.map((way) => reached(way, marks, name)));
    else marks = moved(marks, (at) => step === 'one' || step.fits(name[at]!));
  }
  return marks;
}

/** The positions that can be reached over any number of characters that pass the test. */
function spread(from: Uint8Array, passes: (at: number) => boolean): Uint8Array {
  const marks = from.slice();
  for (let at = 1; at < marks.length; at++) if (marks[at - 1] === 1 && passes(at - 1)) marks[at] = 1;
  return marks;
}

/** The positions behind one character that passes the test. */
function moved(from: Uint8Array, passes: (at: number) => boolean): Uint8Array {
  const marks = new Uint8Array(from.length);
  for (let at = 1; at < marks.length; at++) if (from[at - 1] === 1 && passes(at - 1)) marks[at] = 1;
  return marks;
}

function union(ways: readonly Uint8Array[]): Uint8Array {
  return ways.reduce((marks, way) => marks.map((mark, at) => mark | way[at]!));
}
