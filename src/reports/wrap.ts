/** Breaks painted text into lines. */
import { joined, pieces, type SafeText, safe, trimmed } from '../safe/text.js';
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
    for (const word of pieces(text, /(?<= )/).flatMap((long) => chop(long, width))) {
      const size = widthOf(word.trimEnd());
      if (used > 0 && used + size > width) {
        lines.push(trimmed(line));
        line = safe``;
        used = 0;
      }
      line = safe`${line}${paint(word)}`;
      used += widthOf(word);
    }
  }
  return line === '' ? lines : [...lines, trimmed(line)];
}

/** A word that is wider than a line, in pieces that fit. */
function chop(word: SafeText, width: number): SafeText[] {
  if (widthOf(word) <= width) return [word];
  const parts: SafeText[] = [];
  let part = safe``;
  for (const character of clusters(word)) {
    if (widthOf(part + character) > width) {
      parts.push(part);
      part = safe``;
    }
    part = safe`${part}${character}`;
  }
  return [...parts, part];
}
