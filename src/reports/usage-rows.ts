/** The rows of `stats --by`, the same columns for every kind of row: for JSON, CSV and programs. */
import { chosen, GROUP_SORTS, type RowChoice, SHARE_SORTS } from '../app/stats/order.js';
import type { AuditFacts } from '../stats/audit.js';
import { sharesBy } from '../stats/shares.js';
import { shareRow, type UsageRow, usageRow } from './stats-rows.js';

export function usageRows(facts: AuditFacts, choice: RowChoice): UsageRow[] {
  const { by } = choice;
  if (by !== 'role' && by !== 'tool') return chosen(facts.groups, choice, GROUP_SORTS).map(usageRow);
  const source = facts.totals.tokensSource;
  return chosen(sharesBy(facts, by), choice, SHARE_SORTS).map((row) => shareRow(row, by, source));
}
