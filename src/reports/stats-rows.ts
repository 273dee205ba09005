/** The rows of `stats --by` for people: what each role, tool or group of requests used and cost. */

import type { GroupFacts } from '../stats/groups.js';
import type { ShareFacts } from '../stats/shares.js';
import type { Currency } from '../text/money.js';
import { bar, costInRow, grouped, paidText, percent, shortCount, tokensText } from '../text/words.js';
import type { Column } from './rows.js';

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

/** Groups with the name of a file. */
const NAMED_BY_FILE = new Set(['request', 'turn', 'file']);

/** One line a group, within 80 columns. */
export function groupColumns(
  by: string,
  rows: readonly GroupFacts[],
  currency: Currency,
): readonly Column<GroupFacts>[] {
  const caches = rows.some(({ usage }) => usage.cacheRead > 0);
  const writes = rows.some(({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h > 0);
  const windows = by === 'request' && rows.some(({ window }) => window !== undefined);
  const isCached = caches || writes;
  const count = (title: string, of: (row: GroupFacts) => number): Column<GroupFacts> => ({
    title,
    align: 'right',
    text: (row) => (row.tokensSource === 'estimated' ? '~' : '') + shortCount(of(row)),
  });
  return [
    { title: by, width: isCached ? 20 : 34, keeps: NAMED_BY_FILE.has(by) ? 'end' : 'start', text: ({ name }) => name },
    ...(by === 'request'
      ? [{ title: 'model', width: 18, text: ({ model }: GroupFacts) => model ?? '' }]
      : [{ title: 'requests', align: 'right' as const, text: ({ requests }: GroupFacts) => grouped(requests) }]),
    count(isCached ? 'uncached' : 'input', ({ usage }) => usage.input),
    ...(caches ? [count('cache\nread', ({ usage }) => usage.cacheRead)] : []),
    ...(writes ? [count('cache\nwrite', ({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h)] : []),
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
