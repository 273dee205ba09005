/** The rows of `stats --by`: what each group used and cost, with the same columns for every kind of group. */

import { toNumber } from '../decimals.js';
import type { Carried } from '../stats/carried.js';
import { type GroupFacts, groupBy } from '../stats/groups.js';
import type { ShareFacts } from '../stats/shares.js';
import type { Currency } from '../text/money.js';
import { bar, costInRow, grouped, paidText, percent, shortCount, tokensText } from '../text/words.js';
import type { Column } from './rows.js';

const UNKNOWN = '(unknown)';

export function shareColumns(by: 'role' | 'tool', source: 'exact' | 'estimated'): readonly Column<ShareFacts>[] {
  const counts: readonly Column<ShareFacts>[] =
    by === 'role'
      ? [
          {
            title: 'messages',
            align: 'right',
            text: ({ messages }) => grouped(messages),
            value: ({ messages }) => messages,
          },
        ]
      : [
          { title: 'calls', align: 'right', text: ({ calls }) => grouped(calls), value: ({ calls }) => calls },
          {
            title: 'results',
            align: 'right',
            text: ({ results }) => grouped(results),
            value: ({ results }) => results,
          },
        ];
  return [
    { title: by, width: 40, text: ({ name }) => name, value: ({ name }) => name },
    ...counts,
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => tokensText(tokens, source),
      value: ({ tokens }) => tokens,
    },
    { title: 'share', align: 'right', text: ({ share }) => percent(share), value: ({ share }) => share },
  ];
}

/** Groups that are called after a file. */
const PLACES = new Set(['request', 'turn', 'file']);

/** For people: a group a line, within 80 columns. */
export function groupColumns(
  by: string,
  rows: readonly GroupFacts[],
  currency: Currency,
): readonly Column<GroupFacts>[] {
  const caches = rows.some(({ usage }) => usage.cacheRead > 0);
  const writes = rows.some(({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h > 0);
  const windows = by === 'request' && rows.some(({ window }) => window !== undefined);
  const count = (title: string, of: (row: GroupFacts) => number): Column<GroupFacts> => ({
    title,
    align: 'right',
    text: (row) => (row.tokensSource === 'estimated' ? '~' : '') + shortCount(of(row)),
  });
  return [
    { title: by, width: caches ? 26 : 34, keeps: PLACES.has(by) ? 'end' : 'start', text: ({ name }) => name },
    ...(by === 'request'
      ? [{ title: 'model', width: 18, text: ({ model }: GroupFacts) => model ?? '' }]
      : [{ title: 'requests', align: 'right' as const, text: ({ requests }: GroupFacts) => grouped(requests) }]),
    count('input', ({ usage }) => usage.input),
    ...(caches ? [count('cached', ({ usage }) => usage.cacheRead)] : []),
    ...(writes ? [count('written', ({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h)] : []),
    count('output', ({ usage }) => usage.output),
    { title: 'cost', align: 'right', text: (row) => paidText(row, currency, costInRow) },
    ...(windows
      ? [
          {
            title: 'window',
            text: ({ window }: GroupFacts) => (window === undefined ? '' : `${bar(window, 8)} ${percent(window)}`),
          },
        ]
      : [{ title: 'share', align: 'right' as const, text: ({ share }: GroupFacts) => percent(share) }]),
  ];
}

/** For programs: the same columns whatever the rows are. A cost is in US dollars. */
export interface UsageRow {
  readonly file: string | undefined;
  readonly session: string | undefined;
  readonly day: string | undefined;
  readonly model: string | undefined;
  readonly role: string | undefined;
  readonly tool: string | undefined;
  readonly requests: number | undefined;
  readonly input: number | undefined;
  readonly cache_read: number | undefined;
  readonly cache_write_5m: number | undefined;
  readonly cache_write_1h: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
  readonly total: number;
  readonly cost_usd: bigint | undefined;
  readonly cost_source: string | undefined;
  readonly tokens_source: string;
  readonly share: number;
}

const NOTHING = {
  file: undefined,
  session: undefined,
  day: undefined,
  model: undefined,
  role: undefined,
  tool: undefined,
  requests: undefined,
  input: undefined,
  cache_read: undefined,
  cache_write_5m: undefined,
  cache_write_1h: undefined,
  output: undefined,
  reasoning: undefined,
  cost_usd: undefined,
  cost_source: undefined,
};

export function usageRow({
  file,
  session,
  day,
  model,
  requests,
  usage,
  total,
  cost,
  costSource,
  tokensSource,
  share,
}: Omit<GroupFacts, 'name'>): UsageRow {
  return {
    ...NOTHING,
    file,
    session,
    day,
    model,
    requests,
    input: usage.input,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    output: usage.output,
    reasoning: usage.reasoning,
    total,
    cost_usd: cost,
    cost_source: costSource,
    tokens_source: tokensSource,
    share,
  };
}

export function shareRow({ name, tokens, share }: ShareFacts, by: 'role' | 'tool', source: string): UsageRow {
  return { ...NOTHING, [by]: name, total: tokens, tokens_source: source, share };
}

/** The columns of `UsageRow`, for CSV and markdown. */
export const USAGE_COLUMNS: readonly Column<UsageRow>[] = (
  [
    'file',
    'session',
    'day',
    'model',
    'role',
    'tool',
    'requests',
    'input',
    'cache_read',
    'cache_write_5m',
    'cache_write_1h',
    'output',
    'reasoning',
    'total',
    'cost_usd',
    'cost_source',
    'tokens_source',
    'share',
  ] as const
).map((title) => {
  const value = (row: UsageRow) =>
    (title === 'cost_usd' ? (row.cost_usd === undefined ? undefined : toNumber(row.cost_usd)) : row[title]) as
      | string
      | number
      | undefined;
  return { title, value, text: (row) => String(value(row) ?? '') };
});

// --- what results cost while they were carried along

export interface CarriedTool {
  readonly tool: string;
  readonly results: number;
  readonly tokens: number;
  readonly carriedTokens: number;
  readonly cost: bigint | undefined;
  readonly share: number;
}

/** Per tool, the dearest first. The share is of all that was paid, or of all tokens sent where no price is known. */
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
      tool: tool || UNKNOWN,
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
  const place = ({ file, line, index }: Carried) => `${file}:${line}#${index}`;
  return [
    { title: 'result', width: 34, keeps: 'end', text: place },
    { title: 'tool', width: 18, text: ({ tool }) => tool },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => tokensText(tokens, source),
      value: ({ tokens }) => tokens,
    },
    { title: 'times', align: 'right', text: ({ requests }) => grouped(requests), value: ({ requests }) => requests },
    {
      title: 'cost',
      align: 'right',
      text: ({ cost }) => costInRow(cost, source, currency),
      value: ({ cost }) => (cost === undefined ? undefined : toNumber(cost)),
    },
  ];
}
