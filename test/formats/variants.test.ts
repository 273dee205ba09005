/**
 * What becomes of recordings with one value changed: what is read, counted, found by rules, mended, converted,
 * rewritten and saved, as a sum for each, in variants.jsonl. `UPDATE=1` writes the sums anew: a line that changes says
 * for which recordings a change of the code is one for users. `npm run variants` chooses the changes by the code that
 * they reach.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtures } from '../shared/recordings.js';
import { CHOSEN, chosenIn, LARGEST, lineOf, placesOf, someOf, toldOf, type Variant } from '../shared/variants.js';

/** Of a fixture of which none is chosen yet. */
const SOME = 4;

const UPDATES = process.env['UPDATE'] !== undefined;
const chosen = chosenIn(readFileSync(CHOSEN, 'utf8'));
const small = fixtures().filter(({ bytes }) => bytes.length <= LARGEST && placesOf(bytes.toString()).length > 0);
const lines: string[] = [];

describe('recordings with one value changed', () => {
  it.each(small)('$name', ({ name, bytes }) => {
    const text = bytes.toString();
    const own = chosen.filter(({ file }) => file === name);
    const told = (own.length === 0 && UPDATES ? someOf(name, text, SOME) : own).map((variant): Variant => {
      return { ...variant, sum: toldOf(variant, text) };
    });
    lines.push(...told.filter(({ sum }) => sum !== undefined).map(lineOf));
    if (UPDATES) return;
    expect(own, 'UPDATE=1 chooses some').not.toEqual([]);
    expect(told.map(lineOf)).toEqual(own.map(lineOf));
  });

  it('each is of a recording that is there', () => {
    const names = new Set(small.map(({ name }) => name));
    expect(chosen.filter(({ file }) => !UPDATES && !names.has(file))).toEqual([]);
  });
});

afterAll(() => {
  if (UPDATES) writeFileSync(CHOSEN, `${lines.sort().join('\n')}\n`);
});
