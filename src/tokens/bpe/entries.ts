/**
 * The entries of a table as they are looked up: whole words, which compare faster than bytes. Those of a
 * bucket are laid out when it is first needed: a short text needs few.
 */

export const FILTER_BITS = 12;
/** Buckets in a block: those before one in its block are added up to find it. */
export const BLOCK = 16;
/** A bucket has at most 15 entries. */
export const COUNT_BITS = 4;
export const COUNT = (1 << COUNT_BITS) - 1;

/** What the file holds: see table.ts. */
export interface Sections {
  readonly blocks: Int32Array;
  readonly filters: Uint16Array;
  readonly lengths: Uint8Array;
  readonly ranks: Uint8Array;
  /** From two bytes before it. */
  readonly text: DataView;
  /** Words of all entries. */
  readonly size: number;
}

export interface Entries {
  /** By bucket: the place of its first entry << COUNT_BITS | how many they are; 0 before they are laid out. */
  readonly index: Int32Array;
  /** rank << 8 | length, then the bytes, zero-padded to whole words. Nothing stands at 0. */
  readonly entries: Int32Array;
  /** Lays out a bucket, all of whose entries begin with the two bytes `head`, and returns its word of the index. */
  find(bucket: number, head: number): number;
}

export function createEntries({ blocks, filters, lengths, ranks, text, size }: Sections): Entries {
  const index = new Int32Array(filters.length);
  const entries = new Int32Array(size);
  const count = lengths.length;
  let free = 1;

  /** `at`: where its first byte would stand. */
  const layOut = (entry: number, at: number, head: number): void => {
    const length = lengths[entry]!;
    const high = (ranks[2 * count + (entry >> 2)]! >> ((entry & 3) << 1)) & 3;
    const rank = ranks[entry]! | (ranks[count + entry]! << 8) | (high << 16);
    const end = at + length;
    const place = free;
    entries[free++] = (rank << 8) | length;
    let p = at;
    for (; p + 4 <= end; p += 4) entries[free++] = text.getInt32(p, true);
    if (p < end) entries[free++] = lastWord(text, p, end);
    entries[place + 1] = (entries[place + 1]! & ~0xffff) | head;
  };

  const find = (bucket: number, head: number): number => {
    const first = bucket & -BLOCK;
    const block = (first / BLOCK) * 2;
    let [entry, at] = [blocks[block]!, blocks[block + 1]!];
    for (let before = first; before < bucket; before++)
      for (const stop = entry + countOf(filters[before]!); entry < stop; entry++) at += lengths[entry]! - 2;
    const here = countOf(filters[bucket]!);
    index[bucket] = (free << COUNT_BITS) | here;
    for (const stop = entry + here; entry < stop; entry++) {
      layOut(entry, at, head);
      at += lengths[entry]! - 2;
    }
    return index[bucket]!;
  };

  return { index, entries, find };
}

/** The number of entries in the bucket of a filter. */
function countOf(filter: number): number {
  return (filter >>> FILTER_BITS) + bitsSet(filter & ((1 << FILTER_BITS) - 1));
}

/** How many of the lowest 16 bits are set. */
export function bitsSet(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >>> 2) & 0x3333);
  return ((((fours + (fours >>> 4)) & 0x0f0f) * 0x0101) >>> 8) & 0xff;
}

/** The number of words in the entry of a token of `length` bytes. */
export function entryWords(length: number): number {
  return (length + 7) >> 2;
}

/** Whether `words` from `at` on equals the bytes from `start` to `end`, zero-padded. */
export function sameBytes(words: Int32Array, at: number, text: DataView, start: number, end: number): boolean {
  let word = at;
  let p = start;
  for (; p + 4 <= end; p += 4) if (words[word++] !== text.getInt32(p, true)) return false;
  return p === end || words[word] === lastWord(text, p, end);
}

/** One to four bytes from `start` to `end` as a zero-padded word. */
export function lastWord(text: DataView, start: number, end: number): number {
  return text.getInt32(start, true) & (-1 >>> ((4 - end + start) << 3));
}
