/**
 * The binary table of one encoding: its vocabulary as a hash table from bytes to rank, and the class of every code
 * point. Opening it does no work per entry, a failed lookup mostly reads one integer, and the tokens of one script,
 * which begin with the same bytes, are adjacent.
 *
 * In the file, what is alike stands together, so that it packs into two fifths of the size; entries.ts lays out
 * what is looked up. Little-endian 32-bit words (1. to 4.), in this order (build.ts writes them):
 * 1. header: MAGIC, the number of the encoding, then the number of buckets, of entries, of words that these take in
 *    entries.ts, of their bytes, and of bytes of classes
 * 2. pairs: the rank of each token of two bytes, or NONE, at first byte << 8 | second byte
 * 3. groups, by the first two bytes as in 2.: the first bucket << 13 | the length of the longest token << 5 | 32 - log2
 *    of the number of buckets
 * 4. blocks of buckets, two words each: the first entry, and the place of its bytes in 6.
 * 5. filters, 16 bits by bucket: how many more entries it has than bits are set below << 12 | a Bloom filter of them
 * 6. entries of at least three bytes, by bucket: the lengths, one byte each; then the lowest and the middle byte of
 *    each rank; then the two bits above them, four ranks in a byte; then the bytes of all, without the first two,
 *    which the group tells
 * 7. classes, one byte each: flat for the BMP, above it block numbers and then blocks of 256; see split.ts and whole.ts
 */
import {
  BLOCK,
  COUNT,
  COUNT_BITS,
  createEntries,
  type Entries,
  entryWords,
  FILTER_BITS,
  lastWord,
  sameBytes,
} from './entries.js';

export const MAGIC = 0x33455042; // 'BPE3'
export const HEADER_WORDS = 7;
/** How many pairs of bytes there are. */
export const PAIRS = 0x10000;
/** The longest token, in bytes, that an entry can hold. */
export const LONGEST = 0xff;

/** No token: greater than every rank. */
export const NONE = 0x7fffffff;

/** The number of bytes that must exist after the bytes looked up. Their values do not matter. */
export const SLACK = 12;

export interface Table {
  /** The index of the encoding in PATTERNS. */
  readonly encoding: number;
  readonly classes: Uint8Array;
  /** The rank of the bytes (at least two) from `start` to `end`, or NONE. */
  rank(text: DataView, start: number, end: number): number;
}

export function openTable(source: Uint8Array): Table {
  const table = source.byteOffset % 4 === 0 ? source : source.slice();
  const words = new Int32Array(table.buffer, table.byteOffset, table.byteLength >> 2);
  const [magic, encoding, buckets, entries, size, textSize, classesSize] = words.subarray(
    0,
    HEADER_WORDS,
  ) as never as Header;
  const groupsAt = HEADER_WORDS + PAIRS;
  const blocksAt = groupsAt + PAIRS;
  const filtersAt = blocksAt + 2 * Math.ceil(buckets / BLOCK);
  const lengthsAt = filtersAt * 4 + buckets * 2;
  const ranksAt = lengthsAt + entries;
  const textAt = ranksAt + entries * 2 + Math.ceil(entries / 4);
  const classesAt = textAt + textSize;
  if (magic !== MAGIC || classesAt + classesSize !== table.byteLength)
    throw new Error('not a token table of this version');
  const filters = new Uint16Array(table.buffer, table.byteOffset + filtersAt * 4, buckets);
  const found = createEntries({
    blocks: words.subarray(blocksAt, filtersAt),
    filters,
    lengths: table.subarray(lengthsAt, ranksAt),
    ranks: table.subarray(ranksAt, textAt),
    text: new DataView(table.buffer, table.byteOffset + textAt - 2), // with what follows: a word is read at a time
    size,
  });
  const pairs = words.subarray(HEADER_WORDS, groupsAt);
  return {
    encoding,
    classes: table.subarray(classesAt),
    rank: createRank(pairs, words.subarray(groupsAt, blocksAt), filters, found),
  };
}

type Header = readonly [number, number, number, number, number, number, number];

function createRank(
  pairs: Int32Array,
  groups: Int32Array,
  filters: Uint16Array,
  { index, entries, find }: Entries,
): Table['rank'] {
  const short = (text: DataView, start: number, length: number, group: number): number => {
    const first = text.getInt32(start, true) & FIRST[length]!;
    const second = text.getInt32(start + 4, true) & SECOND[length]!;
    const third = text.getInt32(start + 8, true) & THIRD[length]!;
    const hash = hashWords(first, second, third, length);
    const bucket = bucketOf(group, hash);
    if (((filters[bucket]! >>> filterBit(hash)) & 1) === 0) return NONE;
    const cell = index[bucket]! || find(bucket, text.getUint16(start, true));
    let at = cell >>> COUNT_BITS;
    for (let left = cell & COUNT; left > 0; left--) {
      const size = entries[at]! & 0xff;
      if (
        size === length &&
        entries[at + 1] === first &&
        (length <= 4 || (entries[at + 2] === second && (length <= 8 || entries[at + 3] === third)))
      ) {
        return entries[at]! >>> 8;
      }
      at += entryWords(size);
    }
    return NONE;
  };

  const long = (text: DataView, start: number, end: number, group: number): number => {
    const hash = hashLong(text, start, end);
    const bucket = bucketOf(group, hash);
    if (((filters[bucket]! >>> filterBit(hash)) & 1) === 0) return NONE;
    const cell = index[bucket]! || find(bucket, text.getUint16(start, true));
    let at = cell >>> COUNT_BITS;
    for (let left = cell & COUNT; left > 0; left--) {
      const size = entries[at]! & 0xff;
      if (size === end - start && sameBytes(entries, at + 1, text, start, end)) return entries[at]! >>> 8;
      at += entryWords(size);
    }
    return NONE;
  };

  return (text, start, end) => {
    const length = end - start;
    if (length === 2) return pairs[text.getUint16(start)]!;
    const group = groups[text.getUint16(start)]!;
    if (length > ((group >>> 5) & 0xff)) return NONE;
    return length <= SHORT ? short(text, start, length, group) : long(text, start, end, group);
  };
}

/** Up to this many bytes are hashed and compared as three words, without a loop. */
const SHORT = 12;
/** Masks for the first, second and third word of 0 to 12 bytes. */
const FIRST = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1, -1, -1, -1, -1);
const SECOND = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
const THIRD = Int32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** A hash of the bytes from `start` to `end`. */
export function hashOf(text: DataView, start: number, end: number): number {
  const length = end - start;
  if (length > SHORT) return hashLong(text, start, end);
  const first = text.getInt32(start, true) & FIRST[length]!;
  const second = text.getInt32(start + 4, true) & SECOND[length]!;
  const third = text.getInt32(start + 8, true) & THIRD[length]!;
  return hashWords(first, second, third, length);
}

function hashWords(first: number, second: number, third: number, length: number): number {
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + length, 0x7feb352d) ^ Math.imul(third, 0x2c1b3c6d);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}

function hashLong(text: DataView, start: number, end: number): number {
  let hash = end - start;
  let p = start;
  for (; p + 4 <= end; p += 4) {
    hash = Math.imul(hash ^ text.getInt32(p, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  if (p < end) hash = Math.imul(hash ^ lastWord(text, p, end), 0x9e3779b1);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}

/** The bucket of a hash in the group of its first byte. */
export function bucketOf(group: number, hash: number): number {
  return (group >>> 13) + (hash >>> (group & 31));
}

/** The bit that a hash sets in its bucket's filter. */
export function filterBit(hash: number): number {
  return ((hash & 0x7fff) * FILTER_BITS) >>> 15;
}
