/** Random texts that are hard to count: many scripts, runs, contractions, and tokens that cut characters. */
import type { Tokens } from '../../src/tokens/bpe/build.js';

export interface Random {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** A small generator of 32-bit state: the same seed, the same strings, on every machine. */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  };
  return { below, pick: (from) => from[below(from.length)]! };
}

// biome-ignore format: a table
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x20, 0x7e], [0x20, 0x7e], [0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], [0x00, 0x1f], [0xa0, 0x24f], [0x1c0, 0x1cc],
  [0x250, 0x2ff], [0x300, 0x36f], [0x370, 0x4ff], [0x530, 0x5ff], [0x600, 0x6ff], [0x900, 0x97f], [0x980, 0xdff],
  [0xe00, 0xe7f], [0x1000, 0x139f], [0x1780, 0x17ff], [0x1c80, 0x1cbf], [0x1f00, 0x1fff], [0x2000, 0x206f],
  [0x20d0, 0x218f], [0x2190, 0x27bf], [0x2c00, 0x2dff], [0x3000, 0x30ff], [0x3000, 0x30ff], [0x4e00, 0x9fff],
  [0x4e00, 0x5fff], [0xa640, 0xa7ff], [0xac00, 0xd7a3], [0xac00, 0xd7a3], [0xd800, 0xdfff], [0xf900, 0xffff],
  [0x10000, 0x10fff], [0x16e40, 0x16eff], [0x1d400, 0x1d7ff], [0x1e900, 0x1e95f], [0x1f1e6, 0x1f1ff],
  [0x1f300, 0x1faff], [0x20000, 0x33fff], [0xe0000, 0xe01ef], [0, 0x10ffff],
];

const FRAGMENTS: readonly string[] = [
  ...[
    "'s",
    "'S",
    "'ſ",
    "'t",
    "'T",
    "'re",
    "'rE",
    "'ve",
    "'VE",
    "'m",
    "'ll",
    "'lL",
    "'d",
    "'D",
    "'K",
    "'\u212a",
    '’s',
    "''s",
    "'",
    "'e",
  ],
  ...[
    ' ',
    '  ',
    '   ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    ' \n',
    ' \n \n',
    '\u00a0',
    '\u3000',
    '\u2028',
    '\u0085',
    '\u200b',
    '\ufeff',
    '\u1680',
    '\v',
  ],
  ...[
    '/',
    '//',
    '/\n',
    '\n/',
    '!',
    '...',
    '--',
    '==',
    '{"',
    '":',
    '</',
    '();',
    '<|endoftext|>',
    '<|fim_prefix|>',
    '<|endofprompt|>',
  ],
  ...[
    'ABC',
    'Abc',
    'hello',
    ' world',
    'camelCase',
    'HTMLElement',
    'snake_case',
    'A',
    'a',
    'ǅ',
    'ǈx',
    'ʰ',
    'ª',
    'ß',
    'İ',
    'ı',
    '\u0295',
    'Ж',
    'ж',
  ],
  ...[
    '1',
    '12',
    '123',
    '1234',
    '٣',
    '१२३४',
    '½',
    'Ⅷ',
    '²',
    '𝟘',
    'e\u0301',
    '\u0301',
    '\u0301\u0301',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈',
    '👍🏽',
    '🇩🇪',
  ],
  ...[
    '中文字',
    '的',
    '北京',
    '彩神',
    '日本語',
    'ー',
    'フォルダ',
    '，',
    '。',
    '。\n',
    '한국어',
    '합니다',
    'क्ष',
    '്',
    'ไทย',
    '\ud800',
    '\udc00',
  ],
  ...['iVBORw0KGgoAAAANSUhEUg==', 'https://example.com/a?b=c', 'const x = y => z;', '0x1f\u00d7', '\\u00e9'],
];

/** Texts in which scripts, fragments and pieces of tokens meet. The same seed, the same strings. */
export function* hostileStrings(tokens: Tokens, count: number, seed: number): Generator<string> {
  const random = createRandom(seed);
  const decoder = new TextDecoder();
  const character = ([from, to]: readonly [number, number]): string =>
    String.fromCodePoint(from + random.below(to - from + 1));
  const word = (script: readonly [number, number]): string =>
    Array.from({ length: 1 + random.below(12) }, () => character(script)).join('');
  for (let i = 0; i < count; i++) {
    const script = random.pick(SCRIPTS);
    const parts: string[] = [];
    for (let left = random.below(14); left >= 0; left--) {
      const kind = random.below(8);
      if (kind < 3) parts.push(random.pick(FRAGMENTS));
      else if (kind === 3) parts.push(random.pick(FRAGMENTS).repeat(1 + random.below(random.below(9) ? 4 : 40)));
      else if (kind === 4) parts.push(word(random.pick(SCRIPTS)));
      else if (kind === 5) parts.push(decoder.decode(random.pick(tokens)));
      else if (kind === 6) parts.push(word(script));
      else parts.push(around(random.pick(tokens), random));
    }
    yield parts.join('');
  }
}

/** The token amid whole characters, where it begins or ends inside one: what the merging must not start with whole. */
function around(token: Uint8Array, random: Random): string {
  const continuation = (): number => 0x80 + random.below(0x40);
  const lead =
    random.below(2) === 0 ? 0xe4 + random.below(10) : random.pick([0xc3, 0xd0, 0xd5, 0xd8, 0xe0, 0xe1, 0xe3, 0xf0]);
  const before = (token[0]! & 0xc0) === 0x80 ? [lead, ...(random.below(2) === 0 ? [continuation()] : [])] : [];
  const after = Array.from({ length: random.below(4) }, continuation);
  return new TextDecoder().decode(Uint8Array.of(...before, ...token, ...after));
}
