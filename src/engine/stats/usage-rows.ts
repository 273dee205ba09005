/** The rows of `stats --by` for programs: CSV, markdown and JSON. */

import type { AuditFacts } from '../../measure/stats/audit.js';
import type { GroupFacts } from '../../measure/stats/groups.js';
import { type ShareFacts, sharesBy } from '../../measure/stats/shares.js';
import { chosenGroups, chosenShares, type RowChoice } from './order.js';

/** The columns of all kinds of rows, in their order. */
export const USAGE_KEYS = [
  ...(['session', 'day', 'model', 'role', 'tool', 'requests'] as const),
  ...(['input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning', 'total'] as const),
  ...(['cost_usd', 'cost_source', 'tokens_source', 'share', 'unpriced_requests'] as const),
  ...(['file', 'line', 'index', 'project', 'agent', 'week', 'month', 'branch', 'title'] as const),
] as const;

/** The same columns for all kinds of rows. Costs are in 1e-12 US dollars. */
export type UsageRow = Readonly<Record<(typeof USAGE_KEYS)[number], string | number | bigint | undefined>>;

/** The rows to show, in their order. Throws TranscriptError for an unknown column to sort by. */
export function usageRows(facts: AuditFacts, choice: RowChoice): UsageRow[] {
  const [by] = choice.by;
  if (by === 'message') return [];
  if (by !== 'role' && by !== 'tool') return chosenGroups(facts.groups, choice).map(usageRow);
  const source = facts.totals.tokensSource;
  return chosenShares(sharesBy(facts, by), choice, by).map((row) => shareRow(row, by, source));
}

const NOTHING = Object.fromEntries(USAGE_KEYS.map((key) => [key, undefined])) as UsageRow;

function usageRow(group: GroupFacts): UsageRow {
  const { session, day, model, file, line, index, project, agent, week, month, branch, title } = group;
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = group.usage;
  return {
    ...NOTHING,
    ...{ session, day, model, file, line, index, project, agent, week, month, branch, title },
    ...{ input, cache_read: cacheRead, cache_write_5m: cacheWrite5m, cache_write_1h: cacheWrite1h, output, reasoning },
    requests: group.requests,
    total: group.total,
    cost_usd: knownCost(group),
    cost_source: group.costSource,
    tokens_source: group.tokensSource,
    share: group.share,
    unpriced_requests: group.unpriced,
  };
}

/** The sum of the known costs; undefined if none is known. */
export function knownCost({ costSource, knownCost: known }: Pick<GroupFacts, 'costSource' | 'knownCost'>) {
  return costSource === undefined || costSource === 'unpriced' ? undefined : known;
}

function shareRow({ name, tokens, share }: ShareFacts, by: 'role' | 'tool', source: string): UsageRow {
  return { ...NOTHING, [by]: name, total: tokens, tokens_source: source, share };
}
