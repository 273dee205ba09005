/**
 * Which characters the merging may start with as one part, instead of byte by byte: three times fewer parts in Chinese. A proof
 * a vocabulary, worked out when its table is built.
 *
 * A character may start whole when the merging would make it one part whatever stands around it, and before it makes
 * anything larger of it:
 * 1. its own bytes alone merge to one token, by way of tokens that rank before it;
 * 2. every larger token that contains it ranks behind it;
 * 3. no token that cuts it (begins or ends inside it and reaches out of it) can stand at this place.
 * Then its own merges never wait for anything outside, nor anything outside for them: whole or not, the end is the same.
 *
 * The first two are a matter of the character alone (WHOLE). The third depends on the neighbour: CUTS_BEFORE says that a
 * token may cut the character in front of this one, CUTS_AFTER the one behind it.
 */

import { CUTS_AFTER, CUTS_BEFORE, WHOLE } from './merge.js';
import { lengthOf } from './split.js';

/** The classes with flags that are true of the vocabulary `tokens`, listed by rank. */
export function flagWhole(classes: Uint8Array, tokens: readonly Uint8Array[]): Uint8Array {
  const flagged = classes.slice();
  const smallest = new Map<number, number>();
  for (const [rank, token] of tokens.entries()) addCuts(flagged, token, rank, smallest);
  addWhole(flagged, tokens, smallest);
  return flagged;
}

/** Flags the neighbours of what `token` cuts, and notes in `smallest` the first rank of a larger token by character. */
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

/** Whether the bytes of a character merge to one part by way of tokens that rank before it. */
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

/** One to four bytes as a number that no other bytes share. */
function key(bytes: Uint8Array, start: number, end: number): number {
  let value = 1;
  for (let i = start; i < end; i++) value = value * 256 + bytes[i]!;
  return value;
}

/** A token cuts the characters on both sides of one place: the one behind begins with `prefix`, and is never whole then. */
function cutOnBothSides(flags: Uint8Array, prefix: Uint8Array, smallest: Map<number, number>): void {
  const size = lengthOf(prefix[0]!);
  const missing = size - prefix.length;
  const first = decode(Uint8Array.of(...prefix, ...new Uint8Array(missing)), 0);
  const shortest = size === 4 ? 0x10000 : size === 3 ? 0x800 : 0x80;
  for (let char = Math.max(first, shortest); char < Math.min(first + 64 ** missing, flags.length); char++) {
    flags[char]! |= CUTS_BEFORE;
    smallest.set(char, -1);
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The code point that begins at `at`; bytes that UTF-8 has no use for stand for themselves. */
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
