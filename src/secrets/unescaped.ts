/** JSON may spell letters as escapes: `\u0061`. Anchors are searched in the text that they stand for. */

export interface Unescaped {
  readonly bytes: Buffer;
  /** The offset in the original bytes. */
  originOf(offset: number): number;
}

/** Undefined where there are no such escapes. Escapes in JSON in strings have more backslashes. */
export function withoutEscapes(bytes: Buffer): Unescaped | undefined {
  if (!hasEscapes(bytes)) return undefined;
  const text = bytes.latin1Slice();
  const pieces: string[] = [];
  /** Where each piece begins, in the result and in the original. */
  const starts: { readonly at: number; readonly origin: number }[] = [{ at: 0, origin: 0 }];
  let length = 0;
  let copied = 0;
  for (const match of text.matchAll(/\\+(?:\/|u00([2-7][0-9a-fA-F]))/g)) {
    const character = match[1] === undefined ? '/' : String.fromCharCode(Number.parseInt(match[1], 16));
    if (character === '"' || character === '\\') continue; // they would end or extend a string
    pieces.push(text.slice(copied, match.index), character);
    length += match.index - copied;
    starts.push({ at: length, origin: match.index });
    length += 1;
    copied = match.index + match[0].length;
    starts.push({ at: length, origin: copied });
  }
  pieces.push(text.slice(copied));
  return { bytes: Buffer.from(pieces.join(''), 'latin1'), originOf: (offset) => originIn(starts, offset) };
}

/** Whether a letter or digit is spelled as an escape: an anchor may begin with it. Views resolve all other escapes. */
function hasEscapes(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(UNIT); at >= 0; at = bytes.indexOf(UNIT, at + 1))
    if (LETTER.test(bytes.latin1Slice(at + UNIT.length, Math.min(bytes.length, at + UNIT.length + 2)))) return true;
  return false;
}

const UNIT = Buffer.from('\\u00');
const LETTER = /2[dDfF]|3[0-9aA]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA]/;

function originIn(starts: readonly { readonly at: number; readonly origin: number }[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]!.at <= offset) low = middle;
    else high = middle - 1;
  }
  return starts[low]!.origin + (offset - starts[low]!.at);
}
