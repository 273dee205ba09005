/**
 * How long the random tests run, and from which seed: the test command tries the same cases every time, so that it
 * fails because of a change. CTX_TRIM_FUZZ=1000000 is a long run over cases of its own, CTX_TRIM_FUZZ=300 a short one
 * over the first.
 */
const USUAL = 6_000;
const FUZZ = Number(process.env['CTX_TRIM_FUZZ'] ?? USUAL);

/** The parameters of one random test, which takes that share of the cases. */
export function runs(share = 1): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: Math.ceil(FUZZ * share), ...(FUZZ <= USUAL ? { seed: 20_261_122 } : {}) };
}
