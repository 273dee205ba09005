/** Measures and cuts texts in each unit of a limit. A cut never splits a character. */
import { graphemeStarts, isLone } from '../transcript/graphemes.js';
import type { CountTokens, Unit } from './transform.js';

export interface Measure {
  length(text: string): number;
  /** The longest prefix within `limit`. */
  head(text: string, limit: number): string;
  /** The longest suffix within `limit`. */
  tail(text: string, limit: number): string;
}

export function measureByUnit(count: CountTokens): Readonly<Record<Unit, Measure>> {
  return { chars, bytes, tokens: tokens(count) };
}

// --- characters as a reader sees them: grapheme clusters (Unicode UAX #29)

const chars: Measure = {
  length: (text) => (isLone(text) ? text.length : boundaries(text).length),
  head: (text, limit) =>
    isLone(text) ? text.slice(0, Math.max(0, limit)) : text.slice(0, boundaries(text)[limit] ?? text.length),
  tail(text, limit) {
    if (limit <= 0) return '';
    if (isLone(text)) return text.slice(-limit);
    const starts = boundaries(text);
    return text.slice(starts[Math.max(0, starts.length - limit)] ?? text.length);
  },
};

/** The last boundaries. */
let segmented: { readonly text: string; readonly starts: readonly number[] } = { text: '', starts: [] };

/** Where each grapheme cluster begins, in UTF-16 units. */
function boundaries(text: string): readonly number[] {
  if (segmented.text !== text) segmented = { text, starts: graphemeStarts(text) };
  return segmented.starts;
}

// --- UTF-8 bytes, cut between characters

const bytes: Measure = {
  length: (text) => Buffer.byteLength(text),
  head(text, limit) {
    let used = 0;
    let end = 0;
    while (end < text.length) {
      const size = byteSize(text, end);
      if (used + size > limit) break;
      used += size;
      end += size === 4 ? 2 : 1;
    }
    return text.slice(0, end);
  },
  tail(text, limit) {
    let used = 0;
    let start = text.length;
    while (start > 0) {
      const before = start >= 2 && byteSize(text, start - 2) === 4 ? start - 2 : start - 1;
      const size = byteSize(text, before);
      if (used + size > limit) break;
      used += size;
      start = before;
    }
    return text.slice(start);
  },
};

/** The bytes of the character at `at`: 4 for a surrogate pair, 3 for half of one (written as U+FFFD). */
function byteSize(text: string, at: number): number {
  const point = text.codePointAt(at)!;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

// --- tokens, cut between graphemes

function tokens(count: CountTokens): Measure {
  return {
    length: count,
    head: (text, limit) => cutByCount(text, limit, count, (starts, kept) => text.slice(0, starts[kept] ?? text.length)),
    tail: (text, limit) =>
      cutByCount(text, limit, count, (starts, kept) => (kept === 0 ? '' : text.slice(starts[starts.length - kept]))),
  };
}

/** The longest piece of whole characters within `limit` tokens, by binary search: longer pieces hardly count less. */
function cutByCount(
  text: string,
  limit: number,
  count: CountTokens,
  piece: (starts: readonly number[], kept: number) => string,
): string {
  const starts = boundaries(text);
  let fits = 0;
  let exceeds = Math.min(starts.length, Math.max(0, limit) * 32) + 1; // common tokens have at most 32 characters
  if (exceeds > starts.length && count(text) <= limit) return text;
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (count(piece(starts, middle)) <= limit) fits = middle;
    else exceeds = middle;
  }
  return piece(starts, fits);
}
