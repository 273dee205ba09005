/**
 * Counts tokens as tiktoken's `encode_ordinary` would make them, without making any: on UTF-8 bytes, a piece of the split pattern
 * at a time. Nearly every piece of ordinary text is a token itself, found in one look; the others are merged, and the counts
 * of the short ones kept for when they come again.
 */
import { createMemory } from './memory.js';
import { createMerge } from './merge.js';
import { cl100kEnd, lastSeam, o200kEnd, SENTINEL, type Walker } from './split.js';
import { NONE, openTable, SLACK } from './table.js';

export interface Counter {
  /** The number of tokens of `text`. Lone surrogates count as U+FFFD, special tokens as the text they are written in. */
  count(text: string): number;
  /** The same for the UTF-8 in `bytes` from `start` to `end`. Bytes that are not UTF-8 get some count, and no error. */
  countBytes(bytes: Uint8Array, start: number, end: number): number;
}

/** In the order of PATTERNS. */
const WALKERS: readonly Walker[] = [o200kEnd, cl100kEnd];

/** Bytes of text counted at a time; more only where there is no seam to part the text at. */
const CHUNK = 1 << 16;

/**
 * A counter with some 400 KB of scratch space of its own; one at a time may count.
 * @param table the bytes of a file that generate.ts wrote. It is kept and not copied, so it must not change.
 */
export function createCounter(table: Uint8Array): Counter {
  const vocabulary = openTable(table);
  const { classes, rank } = vocabulary;
  const walk = WALKERS[vocabulary.encoding]!;
  const merge = createMerge(vocabulary);
  const memory = createMemory();
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(CHUNK + SLACK);
  let view = new DataView(bytes.buffer);

  /** Makes room for `size` bytes of text. What was there is lost. */
  const reserve = (size: number): void => {
    if (bytes.length === size + SLACK) return;
    bytes = new Uint8Array(size + SLACK);
    view = new DataView(bytes.buffer);
  };

  const countPiece = (start: number, end: number): number => {
    if (rank(view, start, end) !== NONE) return 1;
    const slot = memory.slotOf(view, start, end);
    const known = memory.recall(slot, view, start, end);
    if (known > 0) return known;
    const tokens = merge(bytes, view, start, end);
    memory.keep(slot, view, start, end, tokens);
    return tokens;
  };

  /** Counts the first `end` bytes of the room. */
  const countRoom = (end: number): number => {
    bytes.fill(SENTINEL, end, end + 4); // four, for a character cut short would step over the first
    let tokens = 0;
    for (let start = 0; start < end; ) {
      const behind = walk(classes, bytes, start, end);
      tokens += behind - start === 1 ? 1 : countPiece(start, behind);
      start = behind;
    }
    return tokens;
  };

  const count = (text: string): number => {
    if (text.length * 3 <= CHUNK) return countRoom(encoder.encodeInto(text, bytes).written);
    const encoded = encoder.encode(text);
    return countBytes(encoded, 0, encoded.length);
  };

  const countBytes = (source: Uint8Array, start: number, end: number): number => {
    let tokens = 0;
    let room = CHUNK;
    for (let from = start; from < end; ) {
      reserve(room);
      const size = Math.min(room, end - from);
      bytes.set(source.subarray(from, from + size));
      const seam = from + size === end ? size : lastSeam(classes, bytes, size);
      if (seam > 0) tokens += countRoom(seam);
      room = seam > 0 ? CHUNK : room * 2;
      from += seam;
    }
    reserve(CHUNK);
    return tokens;
  };

  return { count, countBytes };
}
