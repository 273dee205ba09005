/** Prints strings: new ones, and changed ones with the bytes that they share with the old one. */
import type { JsonNode } from './node.js';
import { isAscii } from './style.js';

/** A JSON string. `ascii`: escape all other characters, as the rest of the file does. */
export function quote(text: string, ascii: boolean): string {
  const quoted = JSON.stringify(text);
  return ascii
    ? quoted.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : quoted;
}

/** A changed string: the prefix and suffix that it shares with the old one are copied with their notation. */
export function printString(text: string, old: JsonNode): string {
  const before = old.text;
  const limit = Math.min(text.length, before.length);
  let head = sharedUnits(limit, (from, to) => text.slice(from, to) === before.slice(from, to));
  if (head > 0 && isHighSurrogate(before.charCodeAt(head - 1))) head--;
  let tail = sharedUnits(
    limit - head,
    (from, to) =>
      text.slice(text.length - to, text.length - from) === before.slice(before.length - to, before.length - from),
  );
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) tail--;
  const { bytes } = old.source;
  const middle = quote(text.slice(head, text.length - tail), isAscii(old.source)).slice(1, -1);
  const headEnd = offsetOf(old, old.start + 1, head);
  const tailStart = tail === 0 ? old.end - 1 : offsetOf(old, headEnd, before.length - tail - head);
  return bytes.utf8Slice(old.start, headEnd) + middle + bytes.utf8Slice(tailStart, old.end);
}

/** UTF-16 units that are compared at once: comparing strings is much faster than comparing characters. */
const BLOCK = 1024;

/** The number of equal units, at most `limit`: first by blocks, then by halving one. */
function sharedUnits(limit: number, isSame: (from: number, to: number) => boolean): number {
  let shared = 0;
  while (shared + BLOCK <= limit && isSame(shared, shared + BLOCK)) shared += BLOCK;
  for (let half = BLOCK / 2; half >= 1; half /= 2)
    if (shared + half <= limit && isSame(shared, shared + half)) shared += half;
  return shared;
}

/** The byte offset `units` UTF-16 units after `start` in a string. */
function offsetOf({ source: { bytes }, isPlain }: JsonNode, start: number, units: number): number {
  if (isPlain) return start + units;
  let offset = start;
  for (let unit = 0; unit < units; ) {
    const byte = bytes[offset]!;
    if (byte === 0x5c) offset += bytes[offset + 1] === 0x75 ? 6 : 2;
    else offset += sizeFrom(byte);
    unit += byte >= 0xf0 ? 2 : 1;
  }
  return offset;
}

/** The size of a UTF-8 character by its first byte. */
function sizeFrom(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
