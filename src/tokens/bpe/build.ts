/** Writes the tables that table.ts reads. Runs when the package is built, never when tokens are counted. */
import { BLOCK, bitsSet, COUNT, entryWords, FILTER_BITS } from './entries.js';
import { isVocabulary, TABLE_NAMES, type TableName } from './names.js';
import { ASTRAL_BLOCKS } from './split.js';
import { symbolPoints } from './symbols.js';
import * as layout from './table.js';
import { unicodeClasses } from './unicode.js';
import { deepseekClass, VOCABULARIES } from './vocabularies.js';
import { flagWhole } from './whole.js';

/** A vocabulary: the bytes of each token, by rank. */
export type Tokens = readonly Uint8Array[];

/**
 * Parses `bpe_ranks` of tiktoken's encoder files: each line has a marker, the rank of its first token, and tokens in
 * base64.
 */
export function parseRanks(bpeRanks: string): Tokens {
  const tokens: Uint8Array[] = [];
  for (const line of bpeRanks.split('\n')) {
    const [, first, ...encoded] = line.split(' ');
    if (first === undefined) continue;
    if (Number(first) !== tokens.length) throw new Error(`tokens are missing before rank ${first}`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64'));
  }
  return tokens;
}

/** The table of a vocabulary. The same vocabulary always gives the same bytes. */
export function buildTable(encoding: TableName, tokens: Tokens): Uint8Array {
  const { groups, buckets } = groupBuckets(tokens);
  const { filters, counts, entries } = hashEntries(tokens, groups, buckets);
  const text = Buffer.concat(entries.map((rank) => tokens[rank]!.subarray(2)));
  const classes = packClasses(flagWhole(classesOf(encoding), tokens));
  const number = TABLE_NAMES.indexOf(encoding);
  const lengths = Uint8Array.from(entries, (rank) => tokens[rank]!.length);
  const ranks = [0, 8].map((shift) => Uint8Array.from(entries, (rank) => rank >>> shift));
  const blocks = blocksOf(counts, lengths);
  const size = lengths.reduce((sum, length) => sum + entryWords(length), 1);
  const sizes = [buckets, entries.length, size, text.length, classes.length];
  const header = Int32Array.of(layout.MAGIC, number, ...sizes);
  const parts = [
    header,
    pairRanks(tokens),
    groups,
    blocks,
    filters,
    lengths,
    ...ranks,
    highBits(entries),
    text,
    classes,
  ];
  const table = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    table.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return table;
}

function classesOf(encoding: TableName): Uint8Array {
  const classes = unicodeClasses();
  if (!isVocabulary(encoding) || !VOCABULARIES[encoding].marksAreLetters) return classes;
  const symbols = symbolPoints();
  return classes.map((kind, point) => deepseekClass(point, kind, symbols[point] === 1));
}

/** The bits above the lowest 16 of each rank, four ranks in a byte. */
function highBits(ranks: readonly number[]): Uint8Array {
  const packed = new Uint8Array(Math.ceil(ranks.length / 4));
  for (const [i, rank] of ranks.entries()) packed[i >> 2]! |= (rank >>> 16) << ((i & 3) << 1);
  return packed;
}

function pairRanks(tokens: Tokens): Int32Array {
  const ranks = new Int32Array(layout.PAIRS).fill(layout.NONE);
  for (const [rank, token] of tokens.entries()) if (token.length === 2) ranks[pairOf(token)] = rank;
  return ranks;
}

function pairOf(token: Uint8Array): number {
  return (token[0]! << 8) | token[1]!;
}

/** Gives each pair of first bytes a power of two of buckets, with one to two entries each. */
function groupBuckets(tokens: Tokens): { groups: Int32Array; buckets: number } {
  const sizes = new Int32Array(layout.PAIRS);
  const longest = new Int32Array(layout.PAIRS);
  for (const token of tokens) {
    if (token.length > layout.LONGEST) throw new Error(`a token of ${token.length} bytes is too long for the table`);
    if (token.length <= 2) continue;
    const pair = pairOf(token);
    sizes[pair]! += 1;
    longest[pair] = Math.max(longest[pair]!, token.length);
  }
  const groups = new Int32Array(layout.PAIRS);
  let buckets = 0;
  for (const [pair, size] of sizes.entries()) {
    if (size === 0) continue;
    const bits = Math.max(1, Math.round(Math.log2(size / 1.5)));
    groups[pair] = (buckets << 13) | (longest[pair]! << 5) | (32 - bits);
    buckets += 2 ** bits;
  }
  if (buckets >= 2 ** 18 || tokens.length > 2 ** 18)
    throw new Error('the vocabulary has too many tokens for the table');
  return { groups, buckets };
}

/** Sorts tokens into buckets. Within a bucket they are in order of rank: the frequent ones first. */
function hashEntries(tokens: Tokens, groups: Int32Array, buckets: number): Hashed {
  const ranks = Array.from({ length: buckets }, (): number[] => []);
  const filters = new Uint16Array(buckets);
  const scratch = new Uint8Array(layout.LONGEST + layout.SLACK);
  const view = new DataView(scratch.buffer);
  for (const [rank, token] of tokens.entries()) {
    if (token.length <= 2) continue;
    scratch.set(token);
    const hash = layout.hashOf(view, 0, token.length);
    const bucket = layout.bucketOf(groups[pairOf(token)]!, hash);
    ranks[bucket]!.push(rank);
    filters[bucket]! |= 1 << layout.filterBit(hash);
  }
  for (const [bucket, { length }] of ranks.entries()) {
    if (length > COUNT) throw new Error('a bucket has too many tokens for the table');
    filters[bucket]! |= (length - bitsSet(filters[bucket]!)) << FILTER_BITS;
  }
  return { filters, counts: ranks.map(({ length }) => length), entries: ranks.flat() };
}

interface Hashed {
  filters: Uint16Array;
  /** By bucket, how many entries it has. */
  counts: readonly number[];
  /** Their ranks, by bucket. */
  entries: readonly number[];
}

/** Where each block begins. */
function blocksOf(counts: readonly number[], lengths: Uint8Array): Int32Array {
  const blocks: number[] = [];
  let [entry, at] = [0, 0];
  for (const [bucket, count] of counts.entries()) {
    if (bucket % BLOCK === 0) blocks.push(entry, at);
    for (const stop = entry + count; entry < stop; entry++) at += lengths[entry]! - 2;
  }
  return Int32Array.from(blocks);
}

/** Flat for the BMP; above it block numbers and then the blocks, each stored once. */
function packClasses(classes: Uint8Array): Uint8Array {
  const astral = 0x10000;
  const numbers = new Map<string, number>();
  const stage = new Uint8Array(ASTRAL_BLOCKS);
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < ASTRAL_BLOCKS; i++) {
    const block = classes.subarray(astral + i * 256, astral + (i + 1) * 256);
    const key = block.join();
    const number = numbers.get(key) ?? blocks.push(block) - 1;
    numbers.set(key, number);
    stage[i] = number;
  }
  if (blocks.length > 256) throw new Error('too many blocks of classes for the table');
  const packed = new Uint8Array(astral + ASTRAL_BLOCKS + blocks.length * 256);
  packed.set(classes.subarray(0, astral));
  packed.set(stage, astral);
  for (const [i, block] of blocks.entries()) packed.set(block, astral + ASTRAL_BLOCKS + i * 256);
  return packed;
}
