/** How many columns of a terminal a text takes. */
import stringWidth from 'string-width';
import { graphemeStarts } from '../transcript/graphemes.js';

/** The library takes quadratic time over a long text: it is given so many UTF-16 units at once, and whole characters. */
const AT_ONCE = 256;

/** Most texts are plain ASCII: for them the library, which takes its time to load, need not be asked. */
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
