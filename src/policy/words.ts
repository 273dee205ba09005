/** Finds words in texts of any script. */
import { patternOf } from '../text/pattern.js';
import type { WordList } from './types.js';

export interface Found {
  /** As the list spells it; of a pattern, what it matched. */
  readonly word: string;
  /** Where it stands in the text as it is matched. */
  readonly at: number;
}

/** Finds the words of a list in a text, in the order in which they stand there, each once. */
export type Matcher = (text: string) => readonly Found[];

/** The text in NFKC (full-width letters become letters) and lower case, to match words. */
export function normalizedText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Throws SyntaxError for a pattern that is none, or none that we match. The matcher takes a text that is `plain`
 * already.
 */
export function matcherOf({ any = [], regex = [] }: WordList): Matcher {
  const words = any.map((word) => ({ word, pattern: wordPattern(normalizedText(word)) }));
  const patterns = regex.map((source) => patternOf(source, 'iu'));
  return (text) =>
    [
      ...words.map(({ word, pattern }) => ({ word, at: text.search(pattern) })).filter(({ at }) => at >= 0),
      ...patterns.flatMap((pattern) => pattern.find(text) ?? []),
    ].sort((a, b) => a.at - b.at || b.word.length - a.word.length);
}

/** Scripts that are written without spaces: a word is found wherever its characters stand. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
/** What continues a word in all other scripts. */
const LETTER = `[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]`;
const starts = new RegExp(`^${LETTER}`, 'v');
const ends = new RegExp(`${LETTER}$`, 'v');

/** A word begins and ends at a boundary where its own first and last character are of a script with spaces. */
function wordPattern(word: string): RegExp {
  const source = word
    .trim()
    .split(/\s+/)
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/&!#%,:;<=>@`~-]/g, '\\$&'))
    .join('\\s+');
  return new RegExp(
    `${starts.test(word) ? `(?<!${LETTER})` : ''}${source}${ends.test(word) ? `(?!${LETTER})` : ''}`,
    'v',
  );
}
