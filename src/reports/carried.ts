/** `stats --tools`: what tool results cost in all the requests that carried them. */
import { toNumber } from '../decimals.js';
import type { Carried } from '../stats/carried.js';
import { groupBy } from '../stats/groups.js';
import type { Currency } from '../text/money.js';
import { costInRow, grouped, percent, tokensText } from '../text/words.js';
import type { Column } from './rows.js';

export interface CarriedTool {
  readonly tool: string;
  readonly results: number;
  readonly tokens: number;
  readonly carriedTokens: number;
  readonly cost: bigint | undefined;
  readonly share: number;
}

/** One row a tool, most expensive first. `share`: of total cost (of total tokens if any cost is unknown), 0 to 1. */
export function carriedByTool(
  carried: readonly Carried[],
  paid: { readonly cost: bigint | undefined; readonly total: number },
): CarriedTool[] {
  const rows = [...groupBy(carried, ({ tool }) => tool)].map(([tool, results]): CarriedTool => {
    const sum = (of: (result: Carried) => number) => results.reduce((total, result) => total + of(result), 0);
    const cost = results.reduce<bigint | undefined>(
      (total, result) => (total === undefined || result.cost === undefined ? undefined : total + result.cost),
      0n,
    );
    const carriedTokens = sum((result) => result.carriedTokens);
    const share =
      paid.cost !== undefined && paid.cost > 0n && cost !== undefined
        ? Number((cost * 1_000_000n) / paid.cost) / 1_000_000
        : paid.total === 0
          ? 0
          : carriedTokens / paid.total;
    return {
      tool: tool || '(unknown)',
      results: results.length,
      tokens: sum(({ tokens }) => tokens),
      carriedTokens,
      cost,
      share,
    };
  });
  return rows.sort(byCost);
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

export function carriedToolColumns(source: 'exact' | 'estimated', currency: Currency): readonly Column<CarriedTool>[] {
  return [
    { title: 'tool', width: 30, text: ({ tool }) => tool },
    { title: 'results', align: 'right', text: ({ results }) => grouped(results), value: ({ results }) => results },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => tokensText(tokens, source),
      value: ({ tokens }) => tokens,
    },
    {
      title: 'carried',
      align: 'right',
      text: ({ carriedTokens }) => tokensText(carriedTokens, source),
      value: ({ carriedTokens }) => carriedTokens,
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ cost }) => costInRow(cost, source, currency),
      value: ({ cost }) => (cost === undefined ? undefined : toNumber(cost)),
    },
    { title: 'share', align: 'right', text: ({ share }) => percent(share), value: ({ share }) => share },
  ];
}

export function carriedColumns(source: 'exact' | 'estimated', currency: Currency): readonly Column<Carried>[] {
  return [
    { title: 'result', width: 31, keeps: 'end', text: ({ file, line, index }) => `${file}:${line}#${index}` },
    { title: 'tool', width: 18, text: ({ tool }) => tool },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => tokensText(tokens, source),
      value: ({ tokens }) => tokens,
    },
    {
      title: 'requests',
      key: 'times',
      align: 'right',
      text: ({ requests }) => grouped(requests),
      value: ({ requests }) => requests,
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ cost }) => costInRow(cost, source, currency),
      value: ({ cost }) => (cost === undefined ? undefined : toNumber(cost)),
    },
  ];
}
