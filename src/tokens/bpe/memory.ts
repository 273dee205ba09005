import { lastWord, sameBytes } from './entries.js';
import { hashOf } from './table.js';

/** A bounded cache of the token counts of short pieces: the latest piece takes its slot. 256 KB. */
export interface Memory {
  /** The slot of the bytes from `start` to `end`, or -1 if the piece is too long for the cache. */
  slotOf(text: DataView, start: number, end: number): number;
  /** The cached count of these bytes, or 0. */
  recall(slot: number, text: DataView, start: number, end: number): number;
  keep(slot: number, text: DataView, start: number, end: number, tokens: number): void;
}

const SLOT_BITS = 13;
/** A slot: tokens << 8 | length, then the bytes, padded with zeros to whole words. */
const SLOT_WORDS = 8;
const LONGEST = (SLOT_WORDS - 1) * 4;

export function createMemory(): Memory {
  const slots = new Int32Array(SLOT_WORDS << SLOT_BITS);

  const slotOf = (text: DataView, start: number, end: number): number => {
    if (end - start > LONGEST) return -1;
    return (hashOf(text, start, end) >>> (32 - SLOT_BITS)) * SLOT_WORDS;
  };

  const recall = (slot: number, text: DataView, start: number, end: number): number => {
    if (slot < 0 || (slots[slot]! & 0xff) !== end - start) return 0;
    return sameBytes(slots, slot + 1, text, start, end) ? slots[slot]! >>> 8 : 0;
  };

  const keep = (slot: number, text: DataView, start: number, end: number, tokens: number): void => {
    if (slot < 0) return;
    slots[slot] = (tokens << 8) | (end - start);
    let word = slot + 1;
    let p = start;
    for (; p + 4 <= end; p += 4) slots[word++] = text.getInt32(p, true);
    if (p < end) slots[word] = lastWord(text, p, end);
  };

  return { slotOf, recall, keep };
}
