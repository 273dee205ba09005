/** Digests of records: what is the same, and what a seed decides, whatever the order of the records. */
import { CanonicalBytes } from '../../json/canonical-bytes.js';
import { type DataRecord, rootsOf } from './record.js';
import type { ValuesAt } from './where.js';

/** The SHA-256 of bytes. */
export type Hash = (bytes: Uint8Array) => Uint8Array;

export interface Digests {
  /** Of the canonical content of a record, or of its values at a path where it has any. */
  of(record: DataRecord, at?: ValuesAt): Uint8Array;
  /** A number from 0 up to 1 that a digest, a seed and a purpose decide. */
  share(digest: Uint8Array, seed: number, purpose: 'sample' | 'split'): number;
}

export function createDigests(hash: Hash): Digests {
  const spelling = new CanonicalBytes();
  return {
    of(record, at) {
      const roots = rootsOf(record);
      const values = at === undefined ? [] : roots.flatMap(at);
      return hash(spelling.of(values.length > 0 ? values : roots));
    },
    share(digest, seed, purpose) {
      const mixed = hash(Buffer.concat([Buffer.from(`${purpose} ${seed} `), digest]));
      return Buffer.from(mixed).readUIntBE(0, BYTES) / 256 ** BYTES;
    },
  };
}

/** Of a digest: as many as a number holds. */
const BYTES = 6;

/** A set of digests, of 16 bytes each: 32 to 64 bytes of memory an entry. */
export class DigestSet {
  private words = new Uint32Array(WORDS << 10);
  private size = 0;

  /** Returns whether it is new. */
  add(digest: Uint8Array): boolean {
    if (2 * WORDS * this.size >= this.words.length) this.grow();
    const isNew = insert(this.words, new Uint32Array(Uint8Array.from(digest.subarray(0, 4 * WORDS)).buffer));
    if (isNew) this.size++;
    return isNew;
  }

  private grow(): void {
    const before = this.words;
    this.words = new Uint32Array(2 * before.length);
    for (let at = 0; at < before.length; at += WORDS)
      if (isTaken(before, at)) insert(this.words, before.subarray(at, at + WORDS));
  }
}

const WORDS = 4;

function insert(words: Uint32Array, entry: Uint32Array): boolean {
  const slots = words.length / WORDS;
  for (let slot = entry[0]! % slots; ; slot = (slot + 1) % slots) {
    const at = slot * WORDS;
    if (!isTaken(words, at)) {
      words.set(entry, at);
      return true;
    }
    if (entry.every((word, index) => words[at + index] === word)) return false;
  }
}

/** No digest is all zeros, but by a chance of 2^-128. */
function isTaken(words: Uint32Array, at: number): boolean {
  return (words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!) !== 0;
}
