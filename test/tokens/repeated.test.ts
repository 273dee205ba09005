/** Counts of texts that come again, and counts from bytes: both are those of the texts themselves. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCounting } from '../../src/measure/stats/counting.js';
import { createCounter } from '../../src/tokens/bpe/counter.js';
import { createRepeated } from '../../src/tokens/repeated.js';
import { openText } from '../shared/opened.js';
import { runs } from '../shared/random-runs.js';
import { fixtures } from '../shared/recordings.js';

const bytesOf = (text: string) => Buffer.from(text);
const whole = (bytes: Buffer) => [bytes, 0, bytes.length] as const;

describe('what was kept', () => {
  it('is found again by the same bytes, wherever they stand, and by no others', () => {
    const repeated = createRepeated();
    const first = bytesOf('a system prompt '.repeat(20));
    repeated.keep(...whole(first), 80);
    expect(repeated.recall(...whole(first))).toBe(80);
    const elsewhere = Buffer.concat([bytesOf('before'), first, bytesOf('behind')]);
    expect(repeated.recall(elsewhere, 6, 6 + first.length)).toBe(80);
    for (let at = 0; at < first.length; at++) {
      const other = Buffer.from(first);
      other[at]! ^= 1;
      expect(repeated.recall(...whole(other))).toBe(-1);
    }
  });

  it('is forgotten when much else came, never mistaken', () => {
    const repeated = createRepeated();
    const known = new Map<string, number>();
    const text = fc.integer({ min: 0, max: 3000 }).map((seed) => `${seed} `.repeat(1 + (seed % 4000)).padEnd(64));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        for (const [index, each] of texts.entries()) {
          const found = repeated.recall(...whole(bytesOf(each)));
          if (found >= 0) expect(found).toBe(known.get(each));
          const tokens = known.get(each) ?? known.size + index;
          known.set(each, tokens);
          repeated.keep(...whole(bytesOf(each)), tokens);
        }
      }),
      runs(1 / 100),
    );
  });

  it('is not asked for any more where nothing comes again', () => {
    const repeated = createRepeated();
    const always = bytesOf('x'.repeat(100));
    repeated.keep(...whole(always), 13);
    for (let index = 0; index < 5000; index++) repeated.recall(...whole(bytesOf(`${index} `.repeat(20))));
    expect(repeated.recall(...whole(always))).toBe(-1);
  });
});

describe('counting from bytes', () => {
  const { count, countBytes } = createCounter(readFileSync('dist/tables/o200k_base.bin'));
  const fromBytes = () => Object.assign((text: string) => count(text), { bytes: countBytes });
  const fromTexts = () => (text: string) => count(text);

  it.each(fixtures().map((recording) => [recording.name, recording] as const))('%s', (_, { bytes, format }) => {
    for (const transcript of openText(bytes, { from: format! }).transcripts) {
      const [a, b] = [fromBytes, fromTexts].map((tokenizer) => createCounting('gpt-4o', tokenizer, undefined, false));
      expect(transcript.messages.map((message) => a!.message(message))).toEqual(
        transcript.messages.map((message) => b!.message(message)),
      );
    }
  });
});
