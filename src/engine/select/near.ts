/**
 * Finds near duplicates by MinHash: of each text the words in groups of five (shingles), of these a signature of 128
 * minima by one permutation (Li, Owen and Zhang, "One Permutation Hashing", 2012), empty places filled by "Optimal
 * Densification" (Shrivastava, 2017). The share of equal places estimates the Jaccard similarity of the sets of
 * shingles. Candidates are those that are equal in a whole band of the signature.
 */
import { textOf } from '../../transcript/text.js';
import type { Text } from '../../transcript/types.js';
import { type NearFile, NearStore } from './near-store.js';
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

/** Takes up to 20 MB of memory, and about 30 bytes for each text (at 0.9); the file takes 400 for each. */
export function createNearIndex(threshold: number, file: NearFile): NearIndex {
  const rows = rowsFor(threshold);
  const bands = PLACES / rows;
  const store = new NearStore(PLACES, bands, file);
  const halves = new Uint16Array(PLACES); // the lower half of each place
  return {
    add(texts) {
      const signature = signatureOf(texts);
      if (signature === undefined) return true; // no words, so like nothing
      const keys = Array.from({ length: bands }, (_, band) => bandKey(signature, band, rows));
      halves.set(signature);
      for (const other of store.having(keys)) if (similarity(halves, other) >= threshold) return false;
      store.add(halves, keys);
      return true;
    },
  };
}

function similarity(one: Uint16Array, other: Uint16Array): number {
  let equal = 0;
  for (let place = 0; place < PLACES; place++) if (one[place] === other[place]) equal++;
  return equal / PLACES;
}

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
