/**
 * The characters that merging may start with as one part instead of byte by byte: three times fewer parts in Chinese.
 * This is proven for each vocabulary when its table is built.
 *
 * A character may start as one part if merging always makes it one part, before it becomes part of a larger token:
 * 1. its bytes alone merge to one token, through tokens of lower rank;
 * 2. every larger token that contains it has a higher rank;
 * 3. no token that cuts it (begins or ends inside it and extends beyond it) can occur at this place.
 * Then its merges do not depend on the bytes around it, and theirs not on it: the result is the same either way.
 *
 * The first two depend on the character alone (WHOLE). The third depends on the adjacent ones: CUTS_BEFORE means that a
 * token may cut the character before this one, CUTS_AFTER the one after it.
 */

import { CUTS_AFTER, CUTS_BEFORE, WHOLE } from './merge.js';
import { lengthOf } from './split.js';

/** The classes with the flags for a vocabulary. `tokens` are in order of rank. */
export function flagWhole(classes: Uint8Array, tokens: readonly Uint8Array[]): Uint8Array {
  const flagged = classes.slice();
  const smallest = new Map<number, number>();
  for (const [rank, token] of tokens.entries()) addCuts(flagged, token, rank, smallest);
  addWhole(flagged, tokens, smallest);
  return flagged;
}

/**
 * Flags characters next to a cut in `token`, and records by character the first rank of a larger token in `smallest`.
 */
function addCuts(flags: Uint8Array, token: Uint8Array, rank: number, smallest: Map<number, number>): void {
  let head = 0;
  while (head < token.length && isContinuation(token[head]!)) head++;
  if (head === token.length) return;
  let at = head;
  let last = -1;
  for (let size = 0; at < token.length; at += size) {
    size = lengthOf(token[at]!);
    if (at + size > token.length) break;
    const char = decode(token, at);
    if (head > 0 && at === head) flags[char]! |= CUTS_BEFORE;
    if (size < token.length && !smallest.has(char)) smallest.set(char, rank);
    last = char;
  }
  if (at === token.length) return;
  const tail = token.subarray(at);
  if (at === head && head > 0) {
    cutOnBothSides(flags, tail, smallest);
  } else if (last >= 0) {
    flags[last]! |= CUTS_AFTER;
  }
}

function addWhole(flags: Uint8Array, tokens: readonly Uint8Array[], smallest: ReadonlyMap<number, number>): void {
  const short = new Map<number, number>();
  for (const [rank, token] of tokens.entries()) if (token.length <= 4) short.set(key(token, 0, token.length), rank);
  for (const [rank, token] of tokens.entries()) {
    if (token.length === 1 || token.length > 4 || token[0]! < 0xc2 || lengthOf(token[0]!) !== token.length) continue;
    if (!token.subarray(1).every(isContinuation) || !mergesAlone(token, rank, short)) continue;
    const char = decode(token, 0);
    if ((smallest.get(char) ?? Infinity) > rank) flags[char]! |= WHOLE;
  }
}

/** Whether the bytes of a character merge to one part through tokens of lower rank. */
function mergesAlone(token: Uint8Array, rank: number, short: ReadonlyMap<number, number>): boolean {
  const starts = Array.from(token.keys());
  while (starts.length > 1) {
    const ranks = starts
      .slice(1)
      .map((_, i) => short.get(key(token, starts[i]!, starts[i + 2] ?? token.length)) ?? Infinity);
    const best = ranks.reduce((least, one) => Math.min(least, one), Infinity);
    if (best > rank) return false;
    starts.splice(ranks.indexOf(best) + 1, 1);
  }
  return true;
}

/** One to four bytes as a unique number. */
function key(bytes: Uint8Array, start: number, end: number): number {
  let value = 1;
  for (let i = start; i < end; i++) value = value * 256 + bytes[i]!;
  return value;
}

/** The first code point of characters with this many bytes. */
const SHORTEST: Readonly<Record<number, number>> = { 3: 0x800, 4: 0x10000 };

/**
 * For a token that cuts the characters on both sides of one place: the second begins with `prefix` and is never whole.
 */
function cutOnBothSides(flags: Uint8Array, prefix: Uint8Array, smallest: Map<number, number>): void {
  const size = lengthOf(prefix[0]!);
  const missing = size - prefix.length;
  const first = decode(Uint8Array.of(...prefix, ...new Uint8Array(missing)), 0);
  const shortest = SHORTEST[size] ?? 0x80;
  for (let char = Math.max(first, shortest); char < Math.min(first + 64 ** missing, flags.length); char++) {
    flags[char]! |= CUTS_BEFORE;
    smallest.set(char, -1);
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The code point that begins at `at`; a byte that is invalid in UTF-8 is its own value. */
function decode(bytes: Uint8Array, at: number): number {
  const [first, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  switch (lengthOf(first!)) {
    case 2:
      return ((first! & 0x1f) << 6) | (second & 0x3f);
    case 3:
      return ((first! & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
    case 4:
      return Math.min(
        ((first! & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f),
        0x10ffff,
      );
    default:
      return first!;
  }
}
