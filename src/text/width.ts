/** The width of a text in columns of a terminal. */
import stringWidth from 'string-width';
import { graphemeStarts } from '../transcript/graphemes.js';

/** The library takes quadratic time for long texts, so it gets at most this many UTF-16 units, and whole characters. */
const AT_ONCE = 256;

/** Most texts are ASCII, for which the library is not needed. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  if (text.length <= AT_ONCE) return stringWidth(text);
  let width = 0;
  let from = 0;
  for (const start of graphemeStarts(text)) {
    if (start - from < AT_ONCE) continue;
    width += stringWidth(text.slice(from, start));
    from = start;
  }
  return width + stringWidth(text.slice(from));
}
