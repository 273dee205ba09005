/**
 * Finds near duplicates by MinHash: of each text the words in groups of five (shingles), of these a signature of 128
 * minima by one permutation (Li, Owen and Zhang, "One Permutation Hashing", 2012), empty places filled by "Optimal
 * Densification" (Shrivastava, 2017). The share of equal places estimates the Jaccard similarity of the sets of
 * shingles. Candidates are those that are equal in a whole band of the signature.
 */
import { textOf } from '../../transcript/text.js';
import type { Text } from '../../transcript/types.js';
import { mixed, Shingles } from './words.js';

/** Words in a shingle; places in a signature. The estimate of a similarity of 0.9 is off by 0.027 (one deviation). */
export const SHINGLE = 5;
export const PLACES = 128;
/** Of pairs at the threshold, at most this share has no band in common. */
const MISSED = 0.005;
const EMPTY = 0xffffffff;

export interface NearIndex {
  /** Returns whether texts are like none that were added before; then they are added. */
  add(texts: Iterable<Text>): boolean;
}

/** Takes 256 bytes of memory for each text that is added, and 8 to 16 for each of its bands (16 bands at 0.9). */
export function createNearIndex(threshold: number): NearIndex {
  const rows = rowsFor(threshold);
  const bands = PLACES / rows;
  const table = new BandTable();
  const chunks: Uint16Array[] = [];
  let size = 0;
  const similarity = (signature: Uint32Array, other: number) => {
    const chunk = chunks[Math.floor(other / CHUNK)]!;
    const at = (other % CHUNK) * PLACES;
    let equal = 0;
    for (let place = 0; place < PLACES; place++) if (chunk[at + place] === (signature[place]! & 0xffff)) equal++;
    return equal / PLACES;
  };
  const keep = (signature: Uint32Array, keys: readonly number[]) => {
    if (size % CHUNK === 0) chunks.push(new Uint16Array(CHUNK * PLACES));
    const chunk = chunks[chunks.length - 1]!;
    chunk.set(signature, (size % CHUNK) * PLACES); // the lower half of each
    for (const key of keys) table.add(key, size);
    size++;
  };
  return {
    add(texts) {
      const signature = signatureOf(texts);
      if (signature === undefined) return true; // no words, so like nothing
      const keys = Array.from({ length: bands }, (_, band) => bandKey(signature, band, rows));
      const seen = new Set<number>();
      for (const key of keys)
        for (const other of table.at(key)) {
          if (seen.has(other)) continue;
          seen.add(other);
          if (similarity(signature, other) >= threshold) return false;
        }
      keep(signature, keys);
      return true;
    },
  };
}

/** Signatures in one array. */
const CHUNK = 1024;

/** The most rows of a band with which pairs at the threshold are found. */
function rowsFor(threshold: number): number {
  const fits = (rows: number) => (1 - threshold ** rows) ** (PLACES / rows) <= MISSED;
  return [32, 16, 8, 4, 2].find(fits) ?? 1;
}

function bandKey(signature: Uint32Array, band: number, rows: number): number {
  let key = band + 1;
  for (let row = band * rows; row < (band + 1) * rows; row++) key = mixed(Math.imul(key, 31) ^ signature[row]!);
  return key;
}

/** Numbers by key, several under one key; open addressing. */
class BandTable {
  private keys = new Uint32Array(1 << 12);
  private values = new Uint32Array(1 << 12); // one more than the number; 0 is free
  private size = 0;

  add(key: number, value: number): void {
    if (2 * this.size >= this.keys.length) this.grow();
    this.put(key, value + 1);
    this.size++;
  }

  *at(key: number): Generator<number, void, void> {
    const mask = this.keys.length - 1;
    for (let slot = key & mask; this.values[slot] !== 0; slot = (slot + 1) & mask)
      if (this.keys[slot] === key) yield this.values[slot]! - 1;
  }

  private put(key: number, value: number): void {
    const mask = this.keys.length - 1;
    let slot = key & mask;
    while (this.values[slot] !== 0) slot = (slot + 1) & mask;
    this.keys[slot] = key;
    this.values[slot] = value;
  }

  private grow(): void {
    const [keys, values] = [this.keys, this.values];
    this.keys = new Uint32Array(2 * keys.length);
    this.values = new Uint32Array(2 * keys.length);
    for (let slot = 0; slot < keys.length; slot++) if (values[slot] !== 0) this.put(keys[slot]!, values[slot]!);
  }
}

// --- signatures

/** Undefined without a word. */
function signatureOf(texts: Iterable<Text>): Uint32Array | undefined {
  const signature = new Uint32Array(PLACES).fill(EMPTY);
  const words = new Shingles(SHINGLE, (shingle) => {
    const hash = mixed(shingle);
    const place = hash >>> 25;
    const value = mixed(hash ^ 0x9e3779b9);
    if (value < signature[place]!) signature[place] = value;
  });
  for (const text of texts) words.read(textOf(text));
  return words.end() ? densified(signature) : undefined;
}

/** An empty place takes the minimum of another one, which its number and the attempt decide. */
function densified(signature: Uint32Array): Uint32Array {
  return signature.map((value, place) => {
    let other = place;
    for (let attempt = 1; signature[other] === EMPTY; attempt++) other = mixed(place * 7919 + attempt) % PLACES;
    return other === place ? value : signature[other]!;
  });
}
