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
    test(name) {
      const characters = [...name];
      return reached(steps, [0], characters).at(-1) === characters.length;
    },
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

/** The distinct positions, in ascending order, at which the steps can end if they start at one of `from`. */
export function reached(steps: readonly Step[], from: readonly number[], name: readonly string[]): readonly number[] {
  let places = from;
  for (const step of steps) {
    if (places.length === 0) break;
    if (step === 'run') places = Array.from({ length: name.length - places[0]! + 1 }, (_, ahead) => places[0]! + ahead);
    else if (step === 'within') places = spread(places, name, (at) => name[at] !== '/');
    else if (step === 'folders') {
      const own = new Set(places);
      places = spread(places, name, () => true).filter((at) => own.has(at) || name[at - 1] === '/');
    } else if (step !== 'one' && 'either' in step) {
      const ends = new Set(step.either.flatMap((branch) => reached(branch, places, name)));
      places = [...ends].sort((a, b) => a - b);
    } else {
      const fits = step === 'one' ? () => true : step.fits;
      places = places.filter((at) => at < name.length && fits(name[at]!)).map((at) => at + 1);
    }
  }
  return places;
}

/** The positions that can be reached over characters that pass the test. */
function spread(from: readonly number[], name: readonly string[], passes: (at: number) => boolean): number[] {
  const starts = new Set(from);
  const places: number[] = [];
  let isOn = false;
  for (let at = from[0]!; at <= name.length; at++) {
    isOn = starts.has(at) || (isOn && passes(at - 1));
    if (isOn) places.push(at);
  }
  return places;
}
