/**
 * Vocabularies of open models: their split patterns as walkers (see split.ts), and what is done to a text before it is
 * split. Each walker equals its pattern as the model's tokenizer.json has it; the build of a table checks that file.
 */
import {
  afterBreaks,
  CASED,
  cl100kEnd,
  classAt,
  LETTER,
  LOWER,
  lengthOf,
  NOT_SYMBOL,
  NUMBER,
  SPACE,
  spaceEnd,
  symbolsEnd,
  UPPER,
  type Walker,
  wordEnd,
} from './split.js';

/** The patterns of a vocabulary, one applied within the pieces of the one before. */
export interface PublicVocabulary {
  readonly patterns: readonly string[];
  readonly walk: Walker;
  /** The text is first put into Unicode's composed form (NFC). */
  readonly composes: boolean;
  /** The classes of DeepSeek's pattern, which are not those of the others. */
  readonly marksAreLetters: boolean;
}

const CASED_WORDS = [
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`,
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`,
].join('|');
const REST = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`;

/** As cl100k_base, but each digit is a piece. */
const qwenEnd: Walker = (classes, bytes, start, end) =>
  classAt(classes, bytes, start) & NUMBER ? start + lengthOf(bytes[start]!) : cl100kEnd(classes, bytes, start, end);

/** As o200k_base, but without contractions, and each digit is a piece. */
const tekkenEnd: Walker = (classes, bytes, start, end) => {
  const first = bytes[start]!;
  const kind = classAt(classes, bytes, start);
  const second = start + lengthOf(first);
  if (kind & CASED) return wordEnd(classes, bytes, start, end);
  if (kind & NUMBER) return second;
  if (second < end && first !== 0x0a && first !== 0x0d) {
    const next = classAt(classes, bytes, second);
    if (next & CASED) return wordEnd(classes, bytes, second, end);
    if (first === 0x20 && (next & NOT_SYMBOL) === 0)
      return afterBreaks(bytes, symbolsEnd(classes, bytes, second, end), 0x2f);
  }
  return kind & SPACE
    ? spaceEnd(classes, bytes, start, end)
    : afterBreaks(bytes, symbolsEnd(classes, bytes, start, end), 0x2f);
};

// --- DeepSeek's classes: a letter or mark is WORD, punctuation or a symbol is UPPER alone, others have neither

const WORD = LETTER | UPPER;
const KIND = WORD | NUMBER | SPACE;
/** Han, Hiragana and Katakana by code point. Their runs are split from all else before words are. */
const EASTERN = LOWER;
/** Without the flags for merging, which are in the same byte. */
const CLASS = KIND | EASTERN;
const isEastern = (point: number) =>
  (point >= 0x4e00 && point <= 0x9fa5) || (point >= 0x3040 && point <= 0x309f) || (point >= 0x30a0 && point <= 0x30ff);

/** The class of a code point in DeepSeek's table, from that of the others. `isSymbol`: punctuation or a symbol. */
export function deepseekClass(point: number, kind: number, isSymbol: boolean): number {
  const eastern = isEastern(point) ? EASTERN : 0;
  if (kind & CASED || kind & LETTER) return WORD | eastern;
  if (kind & (NUMBER | SPACE)) return kind | eastern;
  return (isSymbol ? UPPER : 0) | eastern;
}

const deepseekEnd: Walker = (classes, bytes, start, end) => {
  const first = bytes[start]!;
  const kind = classAt(classes, bytes, start);
  const own = kind & KIND;
  if (own === WORD) return runEnd(classes, bytes, start, end);
  if (kind & NUMBER) return digitsEnd(classes, bytes, start, end);
  const second = start + lengthOf(first);
  const next = second < end ? classAt(classes, bytes, second) : NUMBER; // a number ends every piece
  const adjoins = ((kind ^ next) & EASTERN) === 0;
  if (own === UPPER) {
    if (first < 0x80 && isAsciiLetter(bytes[second]!)) return asciiLettersEnd(bytes, second);
    const symbols = runEnd(classes, bytes, start, end);
    return kind & EASTERN ? symbols : afterBreaks(bytes, symbols, 0x0a);
  }
  if (adjoins && (next & KIND) === WORD && first !== 0x0a && first !== 0x0d) return runEnd(classes, bytes, second, end);
  if (first === 0x20 && adjoins && (next & KIND) === UPPER)
    return afterBreaks(bytes, runEnd(classes, bytes, second, end), 0x0a);
  return kind & SPACE ? blankEnd(classes, bytes, start, end) : otherEnd(classes, bytes, start, end);
};

/** The end of a run of one class: words or symbols. */
function runEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const kind = classAt(classes, bytes, start) & CLASS;
  let p = start + lengthOf(bytes[start]!);
  while (p < end && (classAt(classes, bytes, p) & CLASS) === kind) p += lengthOf(bytes[p]!);
  return p;
}

/** `\p{N}{1,3}` */
function digitsEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start + lengthOf(bytes[start]!);
  for (let i = 1; i < 3 && p < end && classAt(classes, bytes, p) & NUMBER; i++) p += lengthOf(bytes[p]!);
  return p;
}

function isAsciiLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function asciiLettersEnd(bytes: Uint8Array, start: number): number {
  let p = start;
  while (isAsciiLetter(bytes[p]!)) p++;
  return p;
}

/** White space, which a number or an Eastern character ends as the end of the text does. */
function blankEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  while (p < end && classAt(classes, bytes, p) & SPACE) p += lengthOf(bytes[p]!);
  const ends = p < end && classAt(classes, bytes, p) & (NUMBER | EASTERN);
  return spaceEnd(classes, bytes, start, ends ? p : end);
}

/** Characters that no pattern matches, up to one that begins a match. */
function otherEnd(classes: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const kind = classAt(classes, bytes, start) & CLASS;
  for (let p = start + lengthOf(bytes[start]!); ; ) {
    if (p >= end || (classAt(classes, bytes, p) & CLASS) !== kind) return p;
    const after = p + lengthOf(bytes[p]!);
    if (after < end && (classAt(classes, bytes, after) & CLASS) === (WORD | (kind & EASTERN))) return p;
    p = after;
  }
}

/** By name, in the order of the numbers in their tables. */
export const VOCABULARIES = {
  qwen3: {
    patterns: [
      [
        String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}`,
        String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*|${REST}`,
      ].join('|'),
    ],
    walk: qwenEnd,
    composes: true,
    marksAreLetters: false,
  },
  deepseek_v3: {
    patterns: [
      String.raw`\p{N}{1,3}`,
      '[一-龥\u3040-ゟ゠-ヿ]+',
      [
        '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+',
        ' ?[\\p{P}\\p{S}]+[\r\n]*',
        REST.replaceAll('\\r\\n', '\r\n'),
      ].join('|'),
    ],
    walk: deepseekEnd,
    composes: false,
    marksAreLetters: true,
  },
  mistral_nemo: {
    patterns: [String.raw`${CASED_WORDS}|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|${REST}`],
    walk: tekkenEnd,
    composes: false,
    marksAreLetters: false,
  },
} as const satisfies Readonly<Record<string, PublicVocabulary>>;

export type Vocabulary = keyof typeof VOCABULARIES;
