/**
 * Signatures by the keys of their bands: those of the last texts in memory, all before in a file, in runs. A run is a
 * block of signatures, and its keys in order; in memory it has a Bloom filter of them (Bloom 1970), so that few keys
 * are looked up in the file.
 */
import { mixed } from './words.js';

/** Where runs go: appended, and read from anywhere. */
export interface NearFile {
  write(bytes: Uint8Array, start: number, end: number): void;
  at(position: number, length: number): Uint8Array;
}

/** Keys in a run, and texts: 8 MB of keys and 8 MB of signatures in memory. */
const KEYS = 1 << 19;
const TEXTS = 1 << 15;
/** Bits of the filter a key, and for each key: 0.5 % of other keys seem to be in the run. */
const BITS = 12;
const PROBES = 5;
/** Places where a search in the keys of a run begins. */
const STARTS = 1 << 12;
const KEY_SPACE = 2 ** 32;

interface Run {
  /** Where its signatures are in the file; its keys follow. */
  readonly position: number;
  readonly texts: number;
  readonly filter: Uint32Array;
  /** By the upper bits of a key, the first entry. */
  readonly starts: Uint32Array;
}

export class NearStore {
  private readonly table = new KeyTable();
  private readonly signatures: Uint16Array;
  private readonly most: number;
  private readonly filterBits: number;
  /** Of the keys that are looked up. */
  private readonly bits: Uint32Array;
  /** Of a run: a key and its text in one number of 47 bits. Made once: what is outside of the heap is freed late. */
  private readonly entries: Float64Array;
  private readonly runs: Run[] = [];
  private texts = 0;
  private length = 0;

  /** `places`: in a signature. `bands`: the keys of each text. */
  constructor(
    private readonly places: number,
    bands: number,
    private readonly file: NearFile,
    keys = KEYS,
  ) {
    this.most = Math.min(TEXTS, Math.floor(keys / bands));
    this.filterBits = 32 * Math.ceil((this.most * bands * BITS) / 32);
    this.bits = new Uint32Array(bands * PROBES);
    this.entries = new Float64Array(this.most * bands);
    this.signatures = new Uint16Array(this.most * places);
  }

  add(signature: Uint16Array, keys: readonly number[]): void {
    this.signatures.set(signature, this.texts * this.places);
    for (const key of keys) this.table.add(key, this.texts);
    if (++this.texts === this.most) this.endRun();
  }

  /** Signatures with one of the keys, each once. Valid until the next one. */
  *having(keys: readonly number[]): Generator<Uint16Array, void, void> {
    const seen = new Set<number>();
    for (const key of keys) for (const text of this.table.at(key)) seen.add(text);
    for (const text of seen) yield this.signatures.subarray(text * this.places, (text + 1) * this.places);
    if (this.runs.length > 0) for (const [index, key] of keys.entries()) this.findBits(key, index * PROBES);
    for (const run of this.runs) {
      const found = new Set<number>();
      for (const [index, key] of keys.entries())
        if (this.mayHold(run, index * PROBES)) for (const text of this.textsOf(run, key)) found.add(text);
      for (const text of found) yield this.signatureOf(run, text);
    }
  }

  private textsOf({ position, texts, starts }: Run, key: number): number[] {
    const place = startOf(key);
    const [first, end] = [starts[place]!, starts[place + 1]!];
    const at = position + 2 * this.places * texts + 8 * first;
    const entries = new Float64Array(end - first);
    new Uint8Array(entries.buffer).set(this.file.at(at, entries.byteLength));
    const least = key * TEXTS;
    return [...entries].filter((entry) => entry >= least && entry < least + TEXTS).map((entry) => entry - least);
  }

  private signatureOf({ position }: Run, text: number): Uint16Array {
    const signature = new Uint16Array(this.places);
    const size = signature.byteLength;
    new Uint8Array(signature.buffer).set(this.file.at(position + text * size, size));
    return signature;
  }

  private endRun(): void {
    const { entries } = this;
    this.table.list(entries);
    entries.sort();
    const filter = new Uint32Array(this.filterBits / 32);
    const starts = new Uint32Array(STARTS + 1).fill(entries.length);
    for (let index = entries.length - 1; index >= 0; index--) {
      const key = Math.floor(entries[index]! / TEXTS);
      starts[startOf(key)] = index;
      this.findBits(key, 0);
      for (let at = 0; at < PROBES; at++) filter[this.bits[at]! >>> 5]! |= 1 << (this.bits[at]! & 31);
    }
    for (let place = STARTS - 1; place >= 0; place--) starts[place] = Math.min(starts[place]!, starts[place + 1]!);
    this.runs.push({ position: this.length, texts: this.texts, filter, starts });
    this.append(this.signatures);
    this.append(entries);
    this.table.clear();
    this.texts = 0;
  }

  /** Finds the bits of a key in a filter. */
  private findBits(key: number, at: number): void {
    let hash = key;
    for (let probe = 0; probe < PROBES; probe++) {
      hash = mixed(hash + 0x9e3779b9);
      this.bits[at + probe] = Math.floor((hash / KEY_SPACE) * this.filterBits);
    }
  }

  private mayHold({ filter }: Run, at: number): boolean {
    for (let index = at; index < at + PROBES; index++)
      if ((filter[this.bits[index]! >>> 5]! & (1 << (this.bits[index]! & 31))) === 0) return false;
    return true;
  }

  private append({ buffer, byteLength }: Uint16Array | Float64Array): void {
    this.file.write(new Uint8Array(buffer), 0, byteLength);
    this.length += byteLength;
  }
}

function startOf(key: number): number {
  return Math.floor(key / (KEY_SPACE / STARTS));
}

/** Numbers by key, several under one key; open addressing. */
class KeyTable {
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

  /** All keys with their numbers. */
  list(entries: Float64Array): void {
    let at = 0;
    for (let slot = 0; slot < this.keys.length; slot++)
      if (this.values[slot] !== 0) entries[at++] = this.keys[slot]! * TEXTS + this.values[slot]! - 1;
  }

  clear(): void {
    this.values.fill(0);
    this.size = 0;
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
