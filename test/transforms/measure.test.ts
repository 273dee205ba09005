/** Lengths and cuts in each unit, against the plain way: every piece is tried. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureByUnit } from '../../src/transforms/measure.js';
import type { Unit } from '../../src/transforms/transform.js';
import { runs } from '../shared/random-runs.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const graphemes = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
/** Counts what a tokenizer might: a word, a line, a character beyond ASCII each. */
const count = (text: string) => text.match(/[a-z]{1,4}|[^a-z]/g)?.length ?? 0;

const PLAIN: Readonly<Record<Unit, { pieces(text: string): readonly string[]; length(text: string): number }>> = {
  chars: { pieces: graphemes, length: (text) => graphemes(text).length },
  bytes: { pieces: (text) => [...text], length: (text) => Buffer.byteLength(text) },
  tokens: { pieces: graphemes, length: count },
};

const pieces = ['a', 'b', ' ', '\n', '\r', '\r\n', 'é', 'e\u0301', '日', '😀', '👩\u200d🚀', '\ud83d', '🇩🇪', 'word'];
const text = fc.array(fc.constantFrom(...pieces, 'x'.repeat(40)), { maxLength: 12 }).map((list) => list.join(''));

describe.each(Object.keys(PLAIN) as Unit[])('%s', (unit) => {
  const measure = measureByUnit(count)[unit];
  const plain = PLAIN[unit];

  it('are counted', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(measure.length(whole)).toBe(plain.length(whole));
      }),
      runs(1 / 10),
    );
  });

  it('are cut to the longest piece within the limit, at either end', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 60 }), (whole, limit) => {
        const list = plain.pieces(whole);
        const heads = list.map((_, kept) => list.slice(0, kept + 1).join(''));
        const tails = list.map((_, at) => list.slice(list.length - at - 1).join(''));
        const longest = (all: readonly string[]) => {
          const beyond = all.findIndex((piece) => plain.length(piece) > limit);
          return beyond < 0 ? (all.at(-1) ?? '') : (all[beyond - 1] ?? '');
        };
        expect(measure.head(whole, limit)).toBe(longest(heads));
        expect(measure.tail(whole, limit)).toBe(longest(tails));
      }),
      runs(1 / 10),
    );
  });

  it('below zero leave nothing', () => {
    expect([measure.head('abc', -1), measure.tail('abc', -1)]).toEqual(['', '']);
  });
});
