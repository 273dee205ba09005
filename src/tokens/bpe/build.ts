/** Writes the tables that table.ts reads. Runs when the package is built, never when tokens are counted. */
import { BLOCK, COUNT, entryWords, FILTER_BITS } from './entries.js';
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
  const { filters, entries } = hashEntries(tokens, groups, buckets);
  const text = Buffer.concat(entries.map((rank) => tokens[rank]!.subarray(1)));
  const classes = packClasses(flagWhole(classesOf(encoding), tokens));
  const number = TABLE_NAMES.indexOf(encoding);
  const lengths = Uint8Array.from(entries, (rank) => tokens[rank]!.length);
  const ranks = [0, 8, 16].map((shift) => Uint8Array.from(entries, (rank) => rank >>> shift));
  const { blocks, size } = blocksOf(filters, lengths);
  const sizes = [buckets, entries.length, size, text.length, classes.length];
  const header = Int32Array.of(layout.MAGIC, number, ...sizes);
  const parts = [header, pairRanks(tokens), groups, blocks, filters, lengths, ...ranks, text, classes];
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

function pairRanks(tokens: Tokens): Int32Array {
  const ranks = new Int32Array(layout.PAIRS).fill(layout.NONE);
  for (const [rank, token] of tokens.entries()) if (token.length === 2) ranks[(token[0]! << 8) | token[1]!] = rank;
  return ranks;
}

/** Gives each first byte a power of two of buckets, with one to two entries each. */
function groupBuckets(tokens: Tokens): { groups: Int32Array; buckets: number } {
  const sizes = new Int32Array(layout.GROUPS);
  const longest = new Int32Array(layout.GROUPS);
  for (const token of tokens) {
    if (token.length > layout.LONGEST) throw new Error(`a token of ${token.length} bytes is too long for the table`);
    if (token.length > 2) sizes[token[0]!]! += 1;
    longest[token[0]!] = Math.max(longest[token[0]!]!, token.length);
  }
  const groups = new Int32Array(layout.GROUPS);
  let buckets = 0;
  for (const [first, size] of sizes.entries()) {
    const bits = Math.max(1, Math.round(Math.log2(size / 1.5)));
    groups[first] = (buckets << 13) | (longest[first]! << 5) | (32 - bits);
    buckets += 2 ** bits;
  }
  if (buckets >= 2 ** 18) throw new Error('the vocabulary has too many tokens for the table');
  return { groups, buckets };
}

/** Sorts tokens into buckets. Within a bucket they are in order of rank: the frequent ones first. */
function hashEntries(tokens: Tokens, groups: Int32Array, buckets: number): { filters: Uint16Array; entries: number[] } {
  const ranks = Array.from({ length: buckets }, (): number[] => []);
  const filters = new Uint16Array(buckets);
  const scratch = new Uint8Array(layout.LONGEST + layout.SLACK);
  const view = new DataView(scratch.buffer);
  for (const [rank, token] of tokens.entries()) {
    if (token.length <= 2) continue;
    scratch.set(token);
    const hash = layout.hashOf(view, 0, token.length);
    const bucket = layout.bucketOf(groups[token[0]!]!, hash);
    ranks[bucket]!.push(rank);
    filters[bucket]! |= 1 << layout.filterBit(hash);
  }
  for (const [bucket, { length }] of ranks.entries()) {
    if (length > COUNT) throw new Error('a bucket has too many tokens for the table');
    filters[bucket]! |= length << FILTER_BITS;
  }
  return { filters, entries: ranks.flat() };
}

/** Where each block begins, and the words that all entries take. */
function blocksOf(filters: Uint16Array, lengths: Uint8Array): { blocks: Int32Array; size: number } {
  const blocks: number[] = [];
  let [entry, at, place] = [0, 0, 1];
  for (const [bucket, filter] of filters.entries()) {
    if (bucket % BLOCK === 0) blocks.push(entry, at, place);
    for (const stop = entry + (filter >>> FILTER_BITS); entry < stop; entry++) {
      at += lengths[entry]! - 1;
      place += entryWords(lengths[entry]!);
    }
  }
  return { blocks: Int32Array.from(blocks), size: place };
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
