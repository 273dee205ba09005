/** Stands in for tokenizer.ts where the library does not run in Node: build/bundle.mjs says how. */
import { TranscriptError } from '../errors.js';
import type { Tokenizer } from '../measure/stats/counting.js';

export function exactTokenizer(): Tokenizer {
  return () => {
    throw new TranscriptError('usage', 'outside Node there are no tables to count tokens with: pass `countTokens`');
  };
}
