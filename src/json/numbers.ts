import type { JsonSource } from './strings.js';

/** Most numbers are short and whole: they need no text. */
export function decodeNumber({ bytes, tape }: JsonSource, at: number): number {
  const start = tape[at + 1]!;
  const end = tape[at + 2]!;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 0x30;
    if (digit < 0 || digit > 9 || end - start > MOST_DIGITS) return Number(bytes.latin1Slice(start, end));
    value = 10 * value + digit;
  }
  return value;
}

/** Whole numbers of this many digits are exact. */
const MOST_DIGITS = 15;
