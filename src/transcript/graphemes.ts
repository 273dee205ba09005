/** Grapheme clusters (Unicode UAX #29), the characters that readers see, in linear time. */

/**
 * The UTF-16 units of each text for Intl.Segmenter, which takes quadratic time over a long text: it looks back over
 * regional indicators (https://github.com/unicode-org/icu), and each of its segments refers to the whole text.
 */
const WINDOW = 256;

let segmenter: Intl.Segmenter | undefined; // created late, because that is slow

/**
 * Code points that are always a cluster of their own: ASCII except the carriage return, Latin-1 and Latin Extended-A
 * letters, general punctuation, symbols up to dingbats and arrows, kana, ideographs, Hangul syllables, full-width
 * forms. The segmenter gets the others.
 */
const LONE =
  '[\\n\\t -~\\u00a0-\\u00a8\\u00aa-\\u00ac\\u00af-\\u024f\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u20cf' +
  '\\u20f1-\\u2bff\\u3000-\\u3029\\u3031-\\u303c\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff' +
  '\\uac00-\\ud7a3\\uff01-\\uff9d]';
const ALL_LONE = new RegExp(`^${LONE}*$`);
const JOINING = new RegExp(`[^${LONE.slice(1, -1)}]`, 'g');
/** The segmenter gets stretches that end with this many lone characters: fewer, longer calls are faster. */
const STRETCH_END = new RegExp(`${LONE}{32}`, 'g');

/** The start of each cluster in UTF-16 units. */
export function graphemeStarts(text: string): readonly number[] {
  if (isLone(text)) return Array.from({ length: text.length }, (_, at) => at);
  const starts: number[] = [];
  let at = 0;
  while (at < text.length) {
    const joining = next(JOINING, text, at);
    // a lone character may join the next one
    for (const from = Math.max(at, joining - 1); at < from; at++) starts.push(at);
    const end = Math.min(text.length, next(STRETCH_END, text, joining) + 1);
    for (const start of segmentStarts(text.slice(at, end))) starts.push(at + start);
    at = end;
  }
  return starts;
}

/** The next match of a pattern; the end of the text if there is none. */
function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The clusters of a text. */
export function graphemes(text: string): string[] {
  const starts = graphemeStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** The last answer: a text is usually measured, and then cut. */
let known = { text: '', isLone: true };

/** Whether each UTF-16 unit of a text is a cluster. */
export function isLone(text: string): boolean {
  if (text !== known.text) known = { text, isLone: isPlain(text) || ALL_LONE.test(text) };
  return known.isLone;
}

/** A faster test for ASCII, of which only a carriage return joins the next character. */
function isPlain(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes('\r');
}

/**
 * The starts by the segmenter. A boundary depends on nothing before the cluster that ends there, so each window starts
 * at one. The last cluster of a window may continue, so the next window starts with it.
 */
function* segmentStarts(text: string): Generator<number, void, void> {
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
