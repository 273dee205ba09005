/** Which rows `stats` shows, and in which order. */

import { TranscriptError } from '../../errors.js';
import type { sharesBy } from '../../reports/stats-rows.js';
import type { MessageFacts } from '../../stats/facts.js';
import { GROUPINGS, type GroupFacts, type GroupingBy } from '../../stats/groups.js';
import type { StatsOptions } from './options.js';

type Sorts<Row> = Readonly<Record<string, (row: Row) => number | bigint | string | undefined>>;

export const MESSAGE_SORTS: Sorts<MessageFacts> = {
  index: ({ index }) => index,
  role: ({ role }) => role,
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
  cumulative: ({ cumulative }) => cumulative,
};
export const SHARE_SORTS: Sorts<ReturnType<typeof sharesBy>[number]> = {
  name: ({ name }) => name,
  messages: ({ messages }) => messages,
  calls: ({ calls }) => calls,
  results: ({ results }) => results,
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
};
export const GROUP_SORTS: Sorts<GroupFacts> = {
  order: () => 0,
  name: ({ name }) => name,
  requests: ({ requests }) => requests,
  input: ({ usage }) => usage.input,
  cache_read: ({ usage }) => usage.cacheRead,
  cache_write: ({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h,
  output: ({ usage }) => usage.output,
  total: ({ total }) => total,
  cost: ({ cost }) => cost,
  share: ({ share }) => share,
  window: ({ window }) => window,
};
const USUAL_SORT: Readonly<Record<StatsOptions['by'], string>> = {
  message: 'index',
  role: 'tokens',
  tool: 'tokens',
  request: 'order',
  turn: 'order',
  day: 'name',
  model: 'cost',
  session: 'cost',
  file: 'cost',
};

export function usualSort({ by, top }: StatsOptions): string {
  return by === 'message' && top !== undefined ? 'tokens' : USUAL_SORT[by];
}

/** Throws TranscriptError for a column that there is not. */
export function checkSort(options: StatsOptions): void {
  const { by, tools, format } = options;
  if (tools === true && format !== 'json') return;
  if (by === 'message') chosen([], options, MESSAGE_SORTS, usualSort(options));
  else if (isGroup(by)) chosen([], options, GROUP_SORTS, usualSort(options));
  else chosen([], options, SHARE_SORTS, usualSort(options));
}

/** The rows in the order asked for, as many as asked for: figures go from the most down, names from A up. */
export function chosen<Row>(
  rows: readonly Row[],
  { sort, top }: StatsOptions,
  sorts: Sorts<Row>,
  usual: string,
): Row[] {
  const key = sort ?? usual;
  const of = Object.hasOwn(sorts, key) ? sorts[key] : undefined;
  if (of === undefined)
    throw new TranscriptError('usage', `no column \`${key}\` to sort by; there are ${Object.keys(sorts).join(', ')}`);
  const isName = key === 'name' || key === 'role' || key === 'index';
  const compare = (a: Row, b: Row) => {
    const [x, y] = [of(a), of(b)];
    if (x === y) return 0;
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return x < y === isName ? -1 : 1;
  };
  return [...rows].sort(compare).slice(0, top);
}

/** Whether rows are groups of requests. */
export function isGroup(by: StatsOptions['by']): by is GroupingBy {
  return (GROUPINGS as readonly string[]).includes(by);
}
