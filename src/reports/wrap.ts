/** Breaks painted text into lines. */
import { addAll } from '../lists.js';
import { joined, type SafeText, safe, sliced, trimmed } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { clusters } from '../text/words.js';

export interface Painted {
  readonly text: SafeText;
  readonly paint: (text: SafeText) => SafeText;
}

/** Breaks painted pieces into lines of a width, between words where it can; Infinity does not break them. */
export function wrap(painted: readonly Painted[], width: number): SafeText[] {
  if (width === Number.POSITIVE_INFINITY)
    return [
      joined(
        painted.map(({ text, paint }) => paint(text)),
        '',
      ),
    ];
  const lines: SafeText[] = [];
  let line = safe``;
  let used = 0;
  for (const { text, paint } of painted) {
    for (const { word, size } of wordsOf(text, width)) {
      if (used > 0 && used + size > width && used + widthOf(trimmed(word)) > width) {
        lines.push(trimmed(line));
        line = safe``;
        used = 0;
      }
      line = safe`${line}${paint(word)}`;
      used += size;
    }
  }
  return line === '' ? lines : [...lines, trimmed(line)];
}

/** What ends with a space each, in pieces that fit. A pattern that looks back takes longer than all the rest. */
function wordsOf(text: SafeText, width: number): Word[] {
  const words: Word[] = [];
  let start = 0;
  do {
    const end = text.indexOf(' ', start) + 1 || text.length;
    addAll(words, chop(sliced(text, start, end), width));
    start = end;
  } while (start < text.length);
  return words;
}

interface Word {
  readonly word: SafeText;
  /** In columns. */
  readonly size: number;
}

/** A word that is wider than a line, in pieces that fit. */
function chop(word: SafeText, width: number): Word[] {
  const size = widthOf(word);
  if (size <= width) return [{ word, size }];
  const parts: SafeText[] = [];
  let part = safe``;
  for (const character of clusters(word)) {
    if (widthOf(part + character) > width) {
      parts.push(part);
      part = safe``;
    }
    part = safe`${part}${character}`;
  }
  return [...parts, part].map((piece) => ({ word: piece, size: widthOf(piece) }));
}
