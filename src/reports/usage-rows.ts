/** The rows of `stats --by` for programs: CSV, markdown and JSON. */

import { chosen, GROUP_SORTS, type RowChoice, SHARE_SORTS } from '../app/stats/order.js';
import { toNumber } from '../decimals.js';
import type { AuditFacts } from '../stats/audit.js';
import type { GroupFacts } from '../stats/groups.js';
import { type ShareFacts, sharesBy } from '../stats/shares.js';
import type { Column } from './rows.js';

/** The same columns for all kinds of rows. Costs are in 1e-12 US dollars. */
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

/** The rows to show, in their order. Throws TranscriptError for an unknown column to sort by. */
export function usageRows(facts: AuditFacts, choice: RowChoice): UsageRow[] {
  const { by } = choice;
  if (by !== 'role' && by !== 'tool') return chosen(facts.groups, choice, GROUP_SORTS).map(usageRow);
  const source = facts.totals.tokensSource;
  return chosen(sharesBy(facts, by), choice, SHARE_SORTS).map((row) => shareRow(row, by, source));
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

function usageRow({
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

function shareRow({ name, tokens, share }: ShareFacts, by: 'role' | 'tool', source: string): UsageRow {
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
