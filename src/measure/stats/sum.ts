import type { Totals } from './facts.js';

/** Sums totals. A sum with an unpriced part has no cost; one with an estimated part is estimated. */
export function createTotals(): { add(totals: Totals): void; sum(): Totals } {
  let sum: Totals = {
    messages: 0,
    toolCalls: 0,
    toolResults: 0,
    tokens: 0,
    cost: 0n,
    costSource: 'estimated',
    tokensSource: 'exact',
  };
  return {
    add({ messages, toolCalls, toolResults, tokens, cost, costSource, tokensSource, isUncounted, unstated = 0 }) {
      sum = {
        messages: sum.messages + messages,
        toolCalls: sum.toolCalls + toolCalls,
        toolResults: sum.toolResults + toolResults,
        tokens: sum.tokens + tokens,
        cost: sum.cost === undefined || cost === undefined ? undefined : sum.cost + cost,
        costSource: costSource === 'unpriced' ? 'unpriced' : sum.costSource,
        tokensSource: tokensSource === 'estimated' ? 'estimated' : sum.tokensSource,
        isUncounted: sum.isUncounted === true || isUncounted === true,
        ...(unstated + (sum.unstated ?? 0) === 0 ? {} : { unstated: unstated + (sum.unstated ?? 0) }),
      };
    },
    sum: () => sum,
  };
}

export function sumOf(parts: readonly Totals[]): Totals {
  const totals = createTotals();
  for (const part of parts) totals.add(part);
  return totals.sum();
}
