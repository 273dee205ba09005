/**
 * Finds near duplicates by MinHash: of each text the words in groups of five (shingles), of these a signature of 128
 * minima by one permutation (Li, Owen and Zhang, "One Permutation Hashing", 2012), empty places filled by "Optimal
 * Densification" (Shrivastava, 2017). The share of equal places estimates the Jaccard similarity of the sets of
 * shingles. Candidates are those that are equal in a whole band of the signature.
 */
import { textOf } from '../../transcript/text.js';
import type { Text } from '../../transcript/types.js';

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
  const words = new Shingles((shingle) => {
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

/** Splits texts into words (letters and digits in lower case; one Chinese or Japanese character), and hashes groups. */
class Shingles {
  private readonly recent = new Uint32Array(SHINGLE);
  private words = 0;

  constructor(private readonly take: (hash: number) => void) {}

  read(text: string): void {
    let hash = 0; // of the word so far; 0 outside of words
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const letter = code < 128 ? ASCII[code]! : letterOf(code);
      if (letter === 0 || isAlone(code)) {
        if (hash !== 0) this.add(hash);
        hash = 0;
        if (letter !== 0) this.add(mixed(letter) || 1);
      } else hash = (Math.imul(hash || 0x811c9dc5, 0x01000193) ^ letter) >>> 0 || 1;
    }
    if (hash !== 0) this.add(hash);
  }

  /** A text of fewer words is one shingle. Returns whether there was a word. */
  end(): boolean {
    if (this.words > 0 && this.words < SHINGLE) this.emit(0, this.words);
    return this.words > 0;
  }

  private add(word: number): void {
    this.recent[this.words % SHINGLE] = word;
    this.words++;
    if (this.words >= SHINGLE) this.emit(this.words, SHINGLE);
  }

  /** The last words, of which the oldest is at `first`. */
  private emit(first: number, count: number): void {
    let hash = 0;
    for (let i = 0; i < count; i++) hash = mixed(Math.imul(hash, 31) + this.recent[(first + i) % SHINGLE]!);
    this.take(hash);
  }
}

/** Characters of words in lower case; 0 for all others. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

const LETTER = /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u;
const letters = new Map<number, number>();

function letterOf(code: number): number {
  let letter = letters.get(code);
  if (letter === undefined) {
    const text = String.fromCharCode(code);
    letter = LETTER.test(text) ? text.toLowerCase().charCodeAt(0) : 0;
    letters.set(code, letter);
  }
  return letter;
}

/** Chinese characters and kana, which no spaces separate. */
function isAlone(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff && !(code >= 0x3100 && code <= 0x31bf);
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the output. */
function mixed(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
