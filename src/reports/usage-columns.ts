/** The columns of `stats --by` for CSV and markdown. */
import { toNumber } from '../decimals.js';
import { USAGE_KEYS, type UsageRow } from '../engine/stats/usage-rows.js';
import type { Column } from './rows.js';

export const USAGE_COLUMNS: readonly Column<UsageRow>[] = USAGE_KEYS.map((title) => {
  const value = (row: UsageRow) => {
    const cell = row[title];
    return typeof cell === 'bigint' ? toNumber(cell) : cell;
  };
  return { title, value, text: (row) => String(value(row) ?? '') };
});
