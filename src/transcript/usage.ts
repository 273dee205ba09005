/** Sums of token usage. */
import type { Usage } from './types.js';

/** The figures of a usage. Sums leave out what was audio, images or video: costs are those of single requests. */
export type Figures = Omit<Usage, 'media'>;

export const NO_USAGE: Usage = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** Adds to a running sum, which changes. */
export function addTo(sum: { -readonly [K in keyof Figures]: number }, usage: Usage): void {
  sum.input += usage.input;
  sum.cacheRead += usage.cacheRead;
  sum.cacheWrite5m += usage.cacheWrite5m;
  sum.cacheWrite1h += usage.cacheWrite1h;
  sum.output += usage.output;
  sum.reasoning += usage.reasoning;
}

/** The tokens of the whole prompt, which decide about long-context prices. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

/** `a - b`, at least 0 for each kind. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  const rest = (key: keyof Figures) => Math.max(0, a[key] - b[key]);
  return {
    input: rest('input'),
    cacheRead: rest('cacheRead'),
    cacheWrite5m: rest('cacheWrite5m'),
    cacheWrite1h: rest('cacheWrite1h'),
    output: rest('output'),
    reasoning: rest('reasoning'),
  };
}
