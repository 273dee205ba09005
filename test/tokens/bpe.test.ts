import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { buildTable, parseRanks, type Tokens } from '../../src/tokens/bpe/build.js';
import { createCounter } from '../../src/tokens/bpe/counter.js';
import { cl100kEnd, type Encoding, lastSeam, o200kEnd, PATTERNS, SENTINEL } from '../../src/tokens/bpe/split.js';
import { NONE, openTable } from '../../src/tokens/bpe/table.js';
import { ALL, cases } from '../shared/effort.js';
import { createRandom, hostileStrings } from './hostile.js';

/** How many hostile strings an encoding: CTX_TRIM_FUZZ=1000000 for a long run, CTX_TRIM_SEED for other strings. */
const STRINGS = cases(2_500, 20_000, 'CTX_TRIM_FUZZ');
/** Of the 100,000 and 200,000 tokens one of so many is tried. */
const STEP = ALL ? 1 : 7;
/** Long texts are so much longer. */
const LONG = ALL ? 4 : 1;
const SEED = Number(process.env.CTX_TRIM_SEED ?? 1);
const TRANSCRIPTS = fileURLToPath(new URL('../../../shared/transcripts', import.meta.url));

const utf8 = new TextEncoder();

describe.each(Object.keys(PATTERNS) as Encoding[])('%s', (encoding) => {
  const { tokens, table } = readEncoder(encoding);
  const counter = createCounter(table);
  const tiktoken = get_encoding(encoding);
  afterAll(() => tiktoken.free());

  const expectEqual = (texts: Iterable<string>): void =>
    expect(differences(texts, counter.count, tiktoken)).toEqual([]);

  test('counts hostile strings as tiktoken does', () => {
    expectEqual(hostileStrings(tokens, STRINGS, SEED));
  });

  test('splits where the pattern does, and in two halves at a seam', () => {
    const random = createRandom(SEED);
    const { classes } = openTable(table);
    const walk = encoding === 'o200k_base' ? o200kEnd : cl100kEnd;
    const pieces = (text: string): string[] => {
      const { written: size } = utf8.encodeInto(text, room);
      room.fill(SENTINEL, size, size + 4);
      const found: string[] = [];
      for (let start = 0, end = 0; start < size; start = end) {
        end = walk(classes, room, start, size);
        found.push(decoder.decode(room.subarray(start, end)));
      }
      return found;
    };
    const pattern = engineRegExp(encoding);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const room = new Uint8Array(1000);
    let seams = 0;
    for (let i = 0; i < STRINGS; i++) {
      const text = Array.from({ length: random.below(20) }, () => random.pick(EVERY_CLASS)).join('');
      const whole = pieces(text);
      expectSame(whole, text.match(pattern) ?? []);
      const size = random.below(utf8.encode(text).length + 1);
      // as a chunk ends: anywhere, inside a character too, and with anything behind
      const cut = utf8.encode(text).fill(0x80, size);
      const seam = lastSeam(classes, cut, size);
      if (seam === 0) continue;
      seams++;
      const head = decoder.decode(cut.subarray(0, seam));
      expectSame([...pieces(head), ...pieces(text.slice(head.length))], whole);
    }
    expect(seams).toBeGreaterThan(STRINGS / 10);
  });

  test('knows the class of every code point', () => {
    const step = STRINGS > 100_000 ? 1 : ALL ? 97 : 499;
    expectEqual(codePoints(step).map(probe));
    expectEqual(CHANGED_CLASSES.map((point) => probe(String.fromCodePoint(point))));
  });

  test('counts every token, alone and between others', () => {
    const random = createRandom(SEED);
    const decoder = new TextDecoder();
    expectEqual(tokens.filter((_, rank) => rank % (5 * STEP) === 0).map((token) => decoder.decode(token)));
    expectEqual(
      Array.from({ length: STRINGS }, () =>
        decoder.decode(concat(Array.from({ length: 1 + random.below(6) }, () => random.pick(tokens)))),
      ),
    );
  });

  test('finds every token at its rank, and nothing that is none', () => {
    const { rank } = openTable(table);
    const bytes = new Uint8Array(256);
    const view = new DataView(bytes.buffer);
    let wrong = 0;
    for (const [expected, token] of tokens.entries()) {
      if (expected % STEP > 0) continue;
      bytes.set(token);
      const last = token.length - 1;
      if (last > 0 && rank(view, 0, token.length) !== expected) wrong++;
      for (let other = last > 1 ? 0x20 : 0x80; other < 0x80; other++) {
        bytes[last] = other;
        const found = rank(view, 0, token.length);
        if (
          found !== NONE &&
          (tokens[found]![last] !== other || Buffer.compare(tokens[found]!, bytes.subarray(0, token.length)) !== 0)
        )
          wrong++;
      }
    }
    expect(wrong).toBe(0);
  });

  test('splits contractions in any case, the long s included', () => {
    const letters = [...'abdelmrstvkſKSTRVLMDEé'];
    const endings = letters.flatMap((first) => ['', ...letters].map((second) => `'${first}${second}`));
    expectEqual(
      endings.flatMap((ending) => [
        `you${ending}`,
        `YOU${ending}x`,
        ` ${ending}`,
        `1${ending}`,
        `漢${ending}!`,
        `!${ending}`,
        `''${ending}`,
        ending,
      ]),
    );
  });

  test('counts runs of one character', () => {
    const characters = [
      'a',
      'A',
      ' ',
      '\n',
      '\t',
      '=',
      '1',
      "'",
      '/',
      'é',
      'Ж',
      '的',
      'ー',
      '한',
      'ก',
      '्',
      '\u0301',
      '\u3000',
      '😀',
      '\u200d',
      '\ud800',
    ];
    for (const character of characters) {
      const lengths = [...Array(80).keys(), 127, 128, 129, 300, 1000];
      expectEqual(lengths.map((length) => character.repeat(length)));
      expectEqual(lengths.map((length) => `x${character.repeat(length)} y`));
    }
  });

  test('counts special tokens as text, and lone surrogates as U+FFFD', () => {
    expectEqual([
      '<|endoftext|>',
      'a<|fim_prefix|><|endofprompt|>b',
      '\ud800',
      '\udc00a',
      'x\ud83d',
      '\ud83dy',
      '\ude00\ud83d',
      '',
    ]);
    expect(counter.count('a\ud800b')).toBe(counter.count('a\ufffdb'));
  });

  test('counts long texts in chunks, and bytes like the text they encode', () => {
    const random = createRandom(SEED);
    const words = ['hello', ' world', "'s", ' 漢字', '，', '\n\n', ' 123', 'é', '!', ' the', '  ', '한국어', '😀'];
    const prose = Array.from({ length: 15_000 * LONG }, () => random.pick(words)).join('');
    const seamless = Array.from({ length: 30_000 * LONG }, () => random.pick(['1', '!', '٣', ' ', '€', '\n'])).join('');
    for (const text of [prose, seamless, `${seamless}${prose}`, `a b ${seamless}`]) {
      expectEqual([text]);
      const bytes = utf8.encode(`xyz${text}xyz`);
      expect(counter.countBytes(bytes, 3, bytes.length - 3)).toBe(counter.count(text));
    }
    expect(counter.countBytes(utf8.encode('hello'), 5, 5)).toBe(0);
  });

  test('takes no more than n log n on any input', () => {
    // a quadratic count of these would take minutes
    const texts = [...'aA =的1\n😀é']
      .map((character) => character.repeat(100_000 * LONG))
      .concat(' '.repeat(1_000_000 * LONG), `${'A'.repeat(500)}漢`.repeat(1000 * LONG));
    for (const text of texts) expect(counter.count(text)).toBeLessThanOrEqual(3 * text.length);
  });

  test('takes any bytes without error', () => {
    const random = createRandom(SEED);
    for (let i = 0; i < 2000; i++) {
      const bytes = Uint8Array.from({ length: random.below(60) }, () =>
        random.pick([random.below(256), 0xff, 0xf4, 0xe4, 0xc3, 0x80, 0x20, 0x61]),
      );
      expect(counter.countBytes(bytes, 0, bytes.length)).toBeLessThanOrEqual(bytes.length + 3);
    }
  });

  test('opens a table at any offset, and no other file', () => {
    const shifted = new Uint8Array(table.length + 1);
    shifted.set(table, 1);
    expect(createCounter(shifted.subarray(1)).count('Hello, world')).toBe(counter.count('Hello, world'));
    expect(() => createCounter(table.subarray(0, table.length - 4))).toThrow('not a token table');
    expect(() => createCounter(new Uint8Array(64))).toThrow('not a token table');
  });

  test.skipIf(!existsSync(TRANSCRIPTS))('counts recorded messages', () => {
    expectEqual(recordedTexts().map((text) => text.slice(0, 20_000)));
  });
});

/** A comparison by `expect` takes as long as a hundred of these. */
function expectSame(actual: readonly string[], expected: readonly string[]): void {
  if (actual.length !== expected.length || actual.some((piece, index) => piece !== expected[index]))
    expect(actual).toEqual([...expected]);
}

function readEncoder(encoding: Encoding): { tokens: Tokens; table: Uint8Array } {
  const path = createRequire(import.meta.url).resolve(`tiktoken/encoders/${encoding}.json`);
  const source = JSON.parse(readFileSync(path, 'utf8')) as { pat_str: string; bpe_ranks: string };
  expect(source.pat_str).toBe(PATTERNS[encoding]);
  const tokens = parseRanks(source.bpe_ranks);
  return { tokens, table: buildTable(encoding, tokens) };
}

/**
 * Characters of every class, most of them often enough that they meet. Their classes are the same in every Unicode
 * version.
 */
const EVERY_CLASS = [
  ...'aabsstdmlreveAABSDLRE\u017f\u01c5ʰ漢漢の한\u0301\u0301\u0903 \u20dd1122٣½  \n\n\r\t',
  ...'\u00a0\u3000\u0085\u2028//!!--.<€😀\u{1d7d8}\u{10400}\u{10428}\u{20000}\ufeff',
  "'",
  "'",
  "'",
  "'s",
  "'LL",
];

/** The pattern in the dialect of this engine, which knows no flags within a pattern and has another `\s`. */
function engineRegExp(encoding: Encoding): RegExp {
  const source = PATTERNS[encoding]
    .replaceAll("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "(?:'[sS\u017f]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])")
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}');
  return new RegExp(source, 'gu');
}

/** The first few texts that are counted otherwise than tiktoken does. */
function differences(texts: Iterable<string>, count: (text: string) => number, tiktoken: Tiktoken): unknown[] {
  const found: unknown[] = [];
  for (const text of texts) {
    const actual = count(text);
    const expected = tiktoken.encode_ordinary(text).length;
    if (actual !== expected && found.push({ text: JSON.stringify(text.slice(0, 200)), actual, expected }) === 5) break;
  }
  return found;
}

/** A text that is counted in another way for nearly every class that the character might have. */
function probe(c: string): string {
  return [
    c,
    `1${c}23`,
    `${c}'ll`,
    `${c}\n \n`,
    `!!${c}'ll`,
    ` ${c}hello`,
    `a${c}A's`,
    `AB${c}CD`,
    ` ${c}  ${c}\n`,
    `${c}${c}${c}${c}123`,
    `  ${c} the`,
  ].join('x y');
}

/** Code points at which the Unicode versions 15.0 to 17.0 differ: U+0295, and what each version added. */
const CHANGED_CLASSES = [
  0x295, 0x88f, 0xc5c, 0x1acf, 0x1c89, 0x1c8a, 0xa7ce, 0xa7cf, 0xa7da, 0xa7dc, 0x105c0, 0x10d4a, 0x10d50, 0x10d6f,
  0x16ea0, 0x16ebb, 0x1ccf0, 0x1e5d0, 0x1e6c0, 0x2ebf0, 0x323b0,
];

function codePoints(step: number): string[] {
  const characters: string[] = [];
  for (let point = 0; point < 0x110000; point += point < 0x600 ? 1 : step) characters.push(String.fromCodePoint(point));
  return characters;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Strings of at least 40 characters in a sample of the recorded transcripts. */
function recordedTexts(): string[] {
  const texts = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value.length >= 40) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  const files = readdirSync(TRANSCRIPTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name))
    .sort();
  for (const name of files) {
    const path = join(TRANSCRIPTS, name);
    if (statSync(path).size > 300_000) continue;
    for (const line of name.endsWith('l') ? readFileSync(path, 'utf8').split('\n') : [readFileSync(path, 'utf8')]) {
      try {
        visit(JSON.parse(line));
      } catch {
        // a broken line on purpose: others test what becomes of it
      }
    }
  }
  return [...texts].filter((_, i) => i % (4 * STEP) === 0);
}
