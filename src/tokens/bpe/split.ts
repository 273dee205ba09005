/**
 * The two split patterns as walkers over UTF-8 bytes: each finds the end of the piece that begins at a place. They are
 * written by hand because no regular expression engine is as fast on bytes; each reads a byte at most a few times.
 *
 * The patterns: https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
 */

const CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";

/** The pattern that each walker implements, as in tiktoken's encoder files. The build checks that they are the same. */
export const PATTERNS = {
  o200k_base: [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${CONTRACTION}?`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${CONTRACTION}?`,
    String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ].join('|'),
  cl100k_base: [
    String.raw`${CONTRACTION}|[^\r\n\p{L}\p{N}]?\p{L}+`,
    String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ].join('|'),
} as const;

export type Encoding = keyof typeof PATTERNS;

/**
 * The bits of a character's class. Punctuation, symbols, controls and unassigned code points have none of these five.
 */
export const UPPER = 1; // Lu Lt Lm Lo M
export const LOWER = 2; // Ll Lm Lo M
export const LETTER = 4; // L
export const NUMBER = 8; // N
export const SPACE = 16; // White_Space

export const CASED = UPPER | LOWER;
export const NOT_SYMBOL = LETTER | NUMBER | SPACE;

/** The four bytes after the text. No UTF-8 text has this byte, so loops over ASCII need no bounds check. */
export const SENTINEL = 0xff;

const BMP = 0x10000;
/** Size of the first stage for code points above the BMP; the second stage, blocks of 256, follows. */
export const ASTRAL_BLOCKS = 0x1000;

/**
 * The end of the piece that begins at `start`. `classes` has one class per code point: flat for the BMP, in two stages
 * above it. Invalid UTF-8 gives some end after `start`, at most three bytes after `end`.
 */
export type Walker = (classes: Uint8Array, bytes: Uint8Array, start: number, end: number) => number;

export const o200kEnd: Walker = (classes, bytes, start, end) => {
  const first = bytes[start]!;
  const kind = classAt(classes, bytes, start);
  if (kind & CASED) return afterContraction(bytes, wordEnd(classes, bytes, start, end));
  if (kind & NUMBER) return numberEnd(classes, bytes, start, end);
  const second = start + lengthOf(first);
  if (second < end && first !== 0x0a && first !== 0x0d) {
    const next = classAt(classes, bytes, second);
    if (next & CASED) return afterContraction(bytes, wordEnd(classes, bytes, second, end));
    if (first === 0x20 && (next & NOT_SYMBOL) === 0)
      return afterBreaks(bytes, symbolsEnd(classes, bytes, second, end), 0x2f);
  }
  return kind & SPACE
    ? spaceEnd(classes, bytes, start, end)
    : afterBreaks(bytes, symbolsEnd(classes, bytes, start, end), 0x2f);
};

export const cl100kEnd: Walker = (classes, bytes, start, end) => {
  const first = bytes[start]!;
  if (first === 0x27) {
    const after = afterContraction(bytes, start);
    if (after > start) return after;
  }
  const kind = classAt(classes, bytes, start);
  if (kind & LETTER) return lettersEnd(classes, bytes, start, end);
  if (kind & NUMBER) return numberEnd(classes, bytes, start, end);
  const second = start + lengthOf(first);
  if (second < end && first !== 0x0a && first !== 0x0d) {
    const next = classAt(classes, bytes, second);
    if (next & LETTER) return lettersEnd(classes, bytes, second, end);
    if (first === 0x20 && (next & NOT_SYMBOL) === 0)
      return afterBreaks(bytes, symbolsEnd(classes, bytes, second, end), 0x0a);
  }
  return kind & SPACE
    ? spaceEnd(classes, bytes, start, end)
    : afterBreaks(bytes, symbolsEnd(classes, bytes, start, end), 0x0a);
};

/**
 * The last place in the first `size` bytes where a letter is followed by no letter, mark or apostrophe; 0 if there is
 * none. Both patterns always split there, and the text after it does not change how the text before it is split: the
 * two can be counted separately.
 */
export function lastSeam(classes: Uint8Array, bytes: Uint8Array, size: number): number {
  let after = CASED;
  for (let p = size - 1; p >= 0; p--) {
    const byte = bytes[p]!;
    if ((byte & 0xc0) === 0x80) continue;
    const next = p + lengthOf(byte);
    const kind = next > size || byte === 0x27 ? CASED : classAt(classes, bytes, p);
    if (kind & LETTER && (after & CASED) === 0) return next;
    after = kind;
  }
  return 0;
}

/** The class of the character that begins at `p`. */
export function classAt(classes: Uint8Array, bytes: Uint8Array, p: number): number {
  const byte = bytes[p]!;
  return byte < 0x80 ? classes[byte]! : wideClass(classes, bytes, p, byte);
}

/** The number of bytes of a character, by its first byte. */
export function lengthOf(byte: number): number {
  if (byte < 0xc0 || byte >= 0xf5) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function wideClass(classes: Uint8Array, bytes: Uint8Array, p: number, byte: number): number {
  if (byte < 0xc0) return 0;
  const second = bytes[p + 1]! & 0x3f;
  if (byte < 0xe0) return classes[((byte & 0x1f) << 6) | second]!;
  const third = bytes[p + 2]! & 0x3f;
  if (byte < 0xf0) return classes[((byte & 0x0f) << 12) | (second << 6) | third]!;
  const block = ((byte & 0x07) << 10) + (second << 4) + (third >> 2) - (BMP >> 8);
  if (byte > 0xf4 || block >= ASTRAL_BLOCKS) return 0;
  return classes[BMP + ASTRAL_BLOCKS + (classes[BMP + block]! << 8) + ((third & 3) << 6) + (bytes[p + 3]! & 0x3f)]!;
}

/**
 * The end of `UPPER* LOWER+`, else of `UPPER+`. The star is greedy and backtracks: if no lower case follows the run,
 * the match ends after the last character that is both, such as a Han character.
 */
export function wordEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  let afterBoth = 0;
  for (;;) {
    const byte = bytes[p]!;
    let kind: number;
    let after = p + 1;
    if (byte < 0x80) {
      kind = classes[byte]!;
    } else {
      if (p >= end) break;
      kind = wideClass(classes, bytes, p, byte);
      after = p + lengthOf(byte);
    }
    if ((kind & UPPER) === 0) {
      if (kind & LOWER) return lowerEnd(classes, bytes, after, end);
      break;
    }
    p = after;
    if (kind & LOWER) afterBoth = p;
  }
  return afterBoth || p;
}

function lowerEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  for (;;) {
    const byte = bytes[p]!;
    if (byte < 0x80) {
      if ((classes[byte]! & LOWER) === 0) return p;
      p++;
    } else {
      if (p >= end || (wideClass(classes, bytes, p, byte) & LOWER) === 0) return p;
      p += lengthOf(byte);
    }
  }
}

function lettersEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  for (;;) {
    const byte = bytes[p]!;
    if (byte < 0x80) {
      if ((classes[byte]! & LETTER) === 0) return p;
      p++;
    } else {
      if (p >= end || (wideClass(classes, bytes, p, byte) & LETTER) === 0) return p;
      p += lengthOf(byte);
    }
  }
}

/** `[^\s\p{L}\p{N}]+`: marks too, which have no LETTER bit. */
export function symbolsEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  for (;;) {
    const byte = bytes[p]!;
    if (byte < 0x80) {
      if (classes[byte]! & NOT_SYMBOL) return p;
      p++;
    } else {
      if (p >= end || wideClass(classes, bytes, p, byte) & NOT_SYMBOL) return p;
      p += lengthOf(byte);
    }
  }
}

/** `\p{N}{1,3}` */
function numberEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start + lengthOf(bytes[start]!);
  for (let i = 1; i < 3 && p < end && classAt(classes, bytes, p) & NUMBER; i++) p += lengthOf(bytes[p]!);
  return p;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last line break; else all but the last space, which joins the next piece. */
export function spaceEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  let last = start;
  let afterBreak = 0;
  while (p < end && classAt(classes, bytes, p) & SPACE) {
    const byte = bytes[p]!;
    last = p;
    p += lengthOf(byte);
    if (byte === 0x0a || byte === 0x0d) afterBreak = p;
  }
  if (afterBreak) return afterBreak;
  return p >= end || last === start ? p : last;
}

/** `[\r\n]*`, or `[\r\n/]*` with the slash as `other`. */
export function afterBreaks(bytes: Uint8Array, start: number, other: number): number {
  let p = start;
  for (;;) {
    const byte = bytes[p]!;
    if (byte !== 0x0a && byte !== 0x0d && byte !== other) return p;
    p++;
  }
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, where the long s (U+017F) is an s in another case. */
function afterContraction(bytes: Uint8Array, p: number): number {
  if (bytes[p] !== 0x27) return p;
  const first = bytes[p + 1]!;
  const second = bytes[p + 2]!;
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return p + 2;
    case 0x72: // re
    case 0x76: // ve
      return (second | 0x20) === 0x65 ? p + 3 : p;
    case 0x6c: // ll
      return (second | 0x20) === 0x6c ? p + 3 : p;
    default:
      return first === 0xc5 && second === 0xbf ? p + 3 : p;
  }
}
