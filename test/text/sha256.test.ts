import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/text/sha256.js';

it('is what Node computes, at every length around the blocks', () => {
  for (const length of [0, 1, 3, 54, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const text = Array.from({ length }, (_, at) => 'aé€😀z'[at % 5]).join('');
    expect(sha256(text), String(length)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});
