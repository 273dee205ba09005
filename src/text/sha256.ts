/** SHA-256 of a text, where there may be no Node. https://doi.org/10.6028/NIST.FIPS.180-4, read 2026-11-26 */

/** In hexadecimal digits. */
export function sha256(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  const hash = roots(8, 1 / 2);
  const keys = roots(64, 1 / 3);
  for (let at = 0; at < words.length; at += 16) addBlock(hash, schedule(words.subarray(at, at + 16)), keys);
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The first 32 bits of the fractions of roots of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32);
}

/** The message, a bit, and how many bits it has, in blocks of 16 words. */
function padded(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(((bytes.length + 8) >> 6) * 16 + 16);
  for (const [at, byte] of [...bytes, 0x80].entries()) words[at >> 2]! |= byte << (24 - 8 * (at & 3));
  words[words.length - 2] = (bytes.length * 8) / 2 ** 32;
  words[words.length - 1] = bytes.length * 8;
  return words;
}

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function schedule(block: Uint32Array): Uint32Array {
  const words = new Uint32Array(64);
  words.set(block);
  for (let at = 16; at < 64; at++) {
    const [early, late] = [words[at - 15]!, words[at - 2]!];
    const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const great = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16]! + small + words[at - 7]! + great;
  }
  return words;
}

function addBlock(hash: Uint32Array, words: Uint32Array, keys: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = [...hash] as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + keys[at]! + words[at]!;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at]! += word;
}
