/** What one request, or several added up, used. All figures are tokens. */
export interface Usage {
  /** Prompt tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to a cache that holds them for five minutes; also where the provider names no time. */
  readonly cacheWrite5m: number;
  /** Prompt tokens written to a cache that holds them for an hour. */
  readonly cacheWrite1h: number;
  /** Everything the model wrote. */
  readonly output: number;
  /** What of the output was reasoning: part of `output`, not on top of it. */
  readonly reasoning: number;
}

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

/** The whole prompt: what a long-context price looks at. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}
