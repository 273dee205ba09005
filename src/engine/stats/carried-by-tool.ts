/** `stats --tools`: what the results of each tool cost in all the requests that carried them. */
import type { Carried } from '../../measure/stats/carried.js';
import { groupBy, shareBasis } from '../../measure/stats/groups.js';
import type { RequestSum } from '../../measure/stats/request-sum.js';

export interface CarriedTool {
  readonly tool: string;
  readonly results: number;
  readonly tokens: number;
  readonly carriedTokens: number;
  readonly cost: bigint | undefined;
  readonly share: number;
}

/**
 * One row a tool, most expensive first, at most `top`. `share`: of total cost (of total tokens if any cost is unknown),
 * 0 to 1.
 */
export function carriedByTool(
  carried: readonly Carried[],
  paid: { readonly cost: bigint | undefined; readonly total: number },
  top?: number,
): CarriedTool[] {
  const basis = carriedBasis(carried, paid);
  const rows = [...groupBy(carried, ({ tool }) => tool)].map(([tool, results]): CarriedTool => {
    const sum = (of: (result: Carried) => number) => results.reduce((total, result) => total + of(result), 0);
    const cost = costOf(results);
    const carriedTokens = sum((result) => result.carriedTokens);
    const share =
      basis === 'cost'
        ? Number(((cost ?? 0n) * 1_000_000n) / paid.cost!) / 1_000_000
        : carriedTokens / (paid.total || 1);
    return {
      tool: tool || '(unknown)',
      results: results.length,
      tokens: sum(({ tokens }) => tokens),
      carriedTokens,
      cost,
      share,
    };
  });
  return rows.sort(byCost).slice(0, top);
}

export function byCost(
  a: { readonly cost: bigint | undefined; readonly carriedTokens: number },
  b: { readonly cost: bigint | undefined; readonly carriedTokens: number },
): number {
  return a.cost !== undefined && b.cost !== undefined && a.cost !== b.cost
    ? a.cost < b.cost
      ? 1
      : -1
    : b.carriedTokens - a.carriedTokens;
}

/** What shares are shares of: the cost of all requests, or their tokens if a price is missing. */
export function carriedBasis(
  carried: readonly { readonly cost: bigint | undefined }[],
  paid: Pick<RequestSum, 'cost'>,
): 'cost' | 'tokens' {
  return carried.some(({ cost }) => cost === undefined) ? 'tokens' : shareBasis(paid);
}

/** The first rows, a row for the others, and a total row. */
export function carriedWithTotal(all: readonly CarriedTool[], top: number | undefined): readonly CarriedTool[] {
  if (all.length < 2) return all;
  const others = top === undefined ? [] : all.slice(top);
  const rest = others.length === 0 ? [] : [carriedUp(`(${others.length} more)`, others)];
  return [...all.slice(0, top), ...rest, carriedUp('total', all)];
}

function carriedUp(tool: string, rows: readonly CarriedTool[]): CarriedTool {
  const sum = (key: 'results' | 'tokens' | 'carriedTokens' | 'share') =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    tool,
    results: sum('results'),
    tokens: sum('tokens'),
    carriedTokens: sum('carriedTokens'),
    cost: costOf(rows),
    share: sum('share'),
  };
}

function costOf(rows: readonly { readonly cost: bigint | undefined }[]): bigint | undefined {
  return rows.reduce<bigint | undefined>(
    (total, { cost }) => (total === undefined || cost === undefined ? undefined : total + cost),
    0n,
  );
}
