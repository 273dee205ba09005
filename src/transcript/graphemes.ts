/** Grapheme clusters (Unicode UAX #29), the characters that readers see, in linear time. */

/**
 * The UTF-16 units of each text for Intl.Segmenter, which takes quadratic time over a long text: it looks back over
 * regional indicators (https://github.com/unicode-org/icu), and each of its segments refers to the whole text.
 */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined; // created late, because that is slow

/**
 * The start of each cluster in UTF-16 units. A boundary depends on nothing before the cluster that ends there, so each
 * window starts at one. The last cluster of a window may continue, so the next window starts with it.
 */
export function* graphemeStarts(text: string): Generator<number, void, void> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let size = WINDOW;
  for (let at = 0; at < text.length; ) {
    const end = betweenPairs(text, at + size);
    let last = 0;
    for (const { index } of segmenter.segment(text.slice(at, end))) {
      if (index > 0) yield at + last;
      last = index;
    }
    if (end === text.length) {
      yield at + last;
      return;
    }
    size = last === 0 ? 2 * size : WINDOW; // doubling keeps the work linear
    at += last;
  }
}

/** The clusters of a text. */
export function graphemes(text: string): string[] {
  const starts = [...graphemeStarts(text)];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** This offset, or the next one if it would split a surrogate pair. */
function betweenPairs(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at + 1 : at;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
