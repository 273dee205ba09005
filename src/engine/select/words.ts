/** Groups of words (shingles, n-grams) as hashes. */

/** Splits texts into words (letters and digits in lower case; one Chinese or Japanese character), and hashes groups. */
export class Shingles {
  private readonly recent: Uint32Array;
  private words = 0;

  /** `size`: the words of a group. `take` gets its hash of 32 bits, and another one. */
  constructor(
    private readonly size: number,
    private readonly take: (hash: number, other: number) => void,
  ) {
    this.recent = new Uint32Array(size);
  }

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

  /** Texts of fewer words in all are one group. Returns whether there was a word. */
  end(): boolean {
    if (this.words > 0 && this.words < this.size) this.emit(0, this.words);
    return this.words > 0;
  }

  private add(word: number): void {
    this.recent[this.words % this.size] = word;
    this.words++;
    if (this.words >= this.size) this.emit(this.words, this.size);
  }

  /** The last words, of which the oldest is at `first`. */
  private emit(first: number, count: number): void {
    let hash = 0;
    let other = 0;
    for (let i = 0; i < count; i++) {
      const word = this.recent[(first + i) % this.size]!;
      hash = mixed(Math.imul(hash, 31) + word);
      other = (Math.imul(other, 0x01000193) ^ word) >>> 0;
    }
    this.take(hash, other);
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
export function mixed(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
