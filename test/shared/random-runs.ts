/**
 * How long the random tests run, and from which seed: the test command tries the same cases every time, so that it
 * fails because of a change. CTX_TRIM_FUZZ=1000000 is a long run over cases of its own, CTX_TRIM_FUZZ=300 a short one
 * over the first.
 */
import { cases } from './effort.js';

const MOST = 6_000;
const FUZZ = cases(600, MOST, 'CTX_TRIM_FUZZ');

/** The parameters of one random test, which takes that share of the cases. */
export function runs(share = 1): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: Math.ceil(FUZZ * share), ...(FUZZ <= MOST ? { seed: 20_261_122 } : {}) };
}
