/**
 * Counts the tokens of tiktoken's `encode_ordinary` without creating them. It works on UTF-8 bytes, one piece of the
 * split pattern at a time. Nearly every piece of ordinary text is a token itself, found with one lookup; the others are
 * merged, and the counts of short pieces are cached.
 */
import { createMemory } from './memory.js';
import { createMerge } from './merge.js';
import { isVocabulary, TABLE_NAMES } from './names.js';
import { cl100kEnd, type Encoding, lastSeam, o200kEnd, SENTINEL, type Walker } from './split.js';
import { NONE, openTable, SLACK } from './table.js';
import { VOCABULARIES } from './vocabularies.js';

export interface Counter {
  /** The number of tokens of `text`. Lone surrogates count as U+FFFD, special tokens as ordinary text. */
  count(text: string): number;
  /** The same for the UTF-8 in `bytes` from `start` to `end`. Invalid UTF-8 gives some count, and no error. */
  countBytes(bytes: Uint8Array, start: number, end: number): number;
}

const WALKERS: Readonly<Record<Encoding, Walker>> = { o200k_base: o200kEnd, cl100k_base: cl100kEnd };

/** Bytes of text counted at a time; more only if the text has no seam to split it at. */
const CHUNK = 1 << 16;

/**
 * A counter with some 400 KB of its own scratch space. It is not reentrant.
 * @param table the bytes of a file that generate.ts wrote. It is not copied, so it must not change.
 */
export function createCounter(table: Uint8Array): Counter {
  const vocabulary = openTable(table);
  const { classes, rank } = vocabulary;
  const name = TABLE_NAMES[vocabulary.encoding]!;
  const { walk, composes } = isVocabulary(name) ? VOCABULARIES[name] : { walk: WALKERS[name], composes: false };
  const merge = createMerge(vocabulary);
  const memory = createMemory();
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(CHUNK + SLACK);
  let view = new DataView(bytes.buffer);

  /** Resizes the buffer for `size` bytes of text. Its content is lost. */
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

  /** Counts the first `end` bytes of the buffer. */
  const countBuffered = (end: number): number => {
    bytes.fill(SENTINEL, end, end + 4); // four, because a truncated character would skip the first
    let tokens = 0;
    for (let start = 0; start < end; ) {
      const next = walk(classes, bytes, start, end);
      tokens += next - start === 1 ? 1 : countPiece(start, next);
      start = next;
    }
    return tokens;
  };

  const countText = (text: string): number => {
    if (text.length * 3 <= CHUNK) return countBuffered(encoder.encodeInto(text, bytes).written);
    const encoded = encoder.encode(text);
    return countEncoded(encoded, 0, encoded.length);
  };

  const countEncoded = (source: Uint8Array, start: number, end: number): number => {
    let tokens = 0;
    let size = CHUNK;
    for (let from = start; from < end; ) {
      reserve(size);
      const length = Math.min(size, end - from);
      bytes.set(source.subarray(from, from + length));
      const seam = from + length === end ? length : lastSeam(classes, bytes, length);
      if (seam > 0) tokens += countBuffered(seam);
      size = seam > 0 ? CHUNK : size * 2;
      from += seam;
    }
    reserve(CHUNK);
    return tokens;
  };

  if (!composes) return { count: countText, countBytes: countEncoded };
  return {
    count: (text) => countText(text.normalize('NFC')),
    countBytes(source, start, end) {
      if (isComposed(source, start, end)) return countEncoded(source, start, end);
      const text = decoder.decode(source.subarray(start, end));
      const composed = text.normalize('NFC');
      return composed === text ? countEncoded(source, start, end) : countText(composed);
    },
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether the bytes have no character from U+0300 on: those below are in composed form. */
function isComposed(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p]! >= 0xcc) return false;
  return true;
}
