/** The width of a text, held against string-width, which asks a pattern that takes long to make. */
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { widthOf } from '../../src/text/width.js';
import { ALL } from '../shared/effort.js';

const BLOCKS = [
  [0x80, 0x1b000],
  [0x1f000, 0x20100],
  [0xe0000, 0xe0200],
] as const;
/** Han characters and Hangul syllables: a sample of these tells what all are. */
const UNIFORM = /[\p{Unified_Ideograph}\uAC00-\uD7A3]/u;
/** Letters without case, and what is not assigned: ranges with one width. */
const RANGES = /[\p{Lo}\p{Cn}\p{Co}]/u;
const characters = BLOCKS.flatMap(([from, to]) =>
  Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index)),
)
  .filter((character) => character !== '\u009b') // begins an escape sequence, which string-width leaves out
  .filter((character, index) => index % (ALL ? 16 : 64) === 0 || !UNIFORM.test(character))
  .filter((character, index) => index % (ALL ? 4 : 16) === 0 || !RANGES.test(character));
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x1f1e6 + index));

const texts = {
  characters,
  'emoji with a variation selector': characters
    .filter((character) => /\p{Emoji}/u.test(character))
    .flatMap((character) => [`${character}\uFE0E`, `${character}\uFE0F`]),
  'emoji with a skin color': characters
    .filter((character) => /\p{Emoji_Modifier_Base}/u.test(character))
    .map((character) => `${character}\u{1F3FD}`),
  keycaps: [...'0123456789#*'].flatMap((key) => [`${key}\uFE0F\u20E3`, `${key}\uFE0F`, `${key}\u20E3`]),
  flags: [...letters, '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', '🇩🇪🇫🇷'],
  families: ['👨‍👩‍👧‍👦', '🧑🏽‍🚀', '❤️‍🔥', '🏳️‍🌈'],
  clusters: ['e\u0301', '\u0301', '\u1112\u1161\u11AB', 'ﾊﾞ', 'ก้', 'क्षि', 'नमस्ते', '日本語 текст', '\u200B', '\uD800'],
};

it.each(Object.entries(texts))('of %s is what string-width says', (_, all) => {
  const other = all.filter((text) => widthOf(text) !== stringWidth(text));
  expect(other).toEqual([]);
});
