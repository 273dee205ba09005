/** Characters as a reader sees them: grapheme clusters (Unicode UAX #29), found in linear time. */

/**
 * How many UTF-16 units the segmenter of the platform is given at once. Over a whole text it takes quadratic time: it looks back at what it
 * went through (https://github.com/unicode-org/icu, regional indicators), and each of its segments refers to the whole.
 */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined; // making one takes its time

/**
 * Where each cluster of a text begins, in UTF-16 units. A boundary depends on nothing before the cluster that ends there, so every window
 * begins at one; the last cluster of a window may go on, and is looked at again.
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
    size = last === 0 ? 2 * size : WINDOW; // doubling keeps the work on a cluster of any size linear
    at += last;
  }
}

/** The clusters of a text. */
export function graphemes(text: string): string[] {
  const starts = [...graphemeStarts(text)];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** A place to cut at that is not inside of a surrogate pair. */
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
