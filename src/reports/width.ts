/** How many columns of a terminal a text takes. */
import stringWidth from 'string-width';

/** Most texts are plain ASCII: for them the library, which takes its time to load, need not be asked. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}
