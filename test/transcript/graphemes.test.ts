/** Clusters are those of the platform's segmenter, which is given a text piece by piece. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { graphemeStarts, graphemes } from '../../src/transcript/graphemes.js';
import { runs } from '../shared/random-runs.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

it('wherever a piece ends', () => {
  const pieces = [
    'a',
    'é',
    'e\u0301',
    '😀',
    '👩\u200d👩\u200d👧',
    '🇩🇪',
    '\r\n',
    '\ud83d',
    '\ude00',
    '\u0301',
    '한',
    '✅',
    '⚙\ufe0f',
    '⭐\u200d⭐',
  ];
  const long = fc
    .tuple(fc.integer({ min: 240, max: 260 }), fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), fc.nat(600))
    .map(([before, middle, after]) => `${'x'.repeat(before)}${middle.join('')}${'y'.repeat(after)}`);
  fc.assert(
    fc.property(long, (text) => {
      const whole = Array.from(segmenter.segment(text));
      expect([...graphemeStarts(text)]).toEqual(whole.map(({ index }) => index));
      expect(graphemes(text)).toEqual(whole.map(({ segment }) => segment));
    }),
    runs(1 / 30),
  );
});

it('also where one is longer than a piece', () => {
  for (const length of [255, 256, 257, 600, 1500]) {
    const cluster = `e${'\u0301'.repeat(length)}`;
    expect(graphemes(`a${cluster}b${cluster}`)).toEqual(['a', cluster, 'b', cluster]);
  }
  expect(graphemes('')).toEqual([]);
});
