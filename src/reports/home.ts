/** What agents cost today, this week and this month. */

import { addedUp, type GroupFacts, groupBy } from '../measure/stats/groups.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { paidText, shortCount } from '../text/words.js';
import { promptTokens } from '../transcript/usage.js';
import type { TableLook } from './report.js';
import { type Column, renderTable } from './rows.js';

export interface Period {
  readonly title: string;
  /** The first day: `2026-01-31`. */
  readonly since: string;
}

/** Today, this week (from Monday) and this month. `today`: `2026-01-31`. */
export function periodsBefore(today: string): readonly Period[] {
  const date = new Date(`${today}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  date.setUTCDate(date.getUTCDate() - sinceMonday);
  return [
    { title: 'today', since: today },
    { title: 'this week', since: date.toISOString().slice(0, 10) },
    { title: 'this month', since: `${today.slice(0, 7)}-01` },
  ];
}

const NEXT = [
  'ctx-trim sessions                        the sessions, newest first',
  'ctx-trim show @last                      read the newest one',
  'ctx-trim stats --by day --recorded @all  all days',
  'ctx-trim --help                          all commands',
] as const;

/** `rows`: requests by agent and day. */
export function homeTable(rows: readonly GroupFacts[], periods: readonly Period[], look: TableLook): SafeText {
  const { style, currency } = look;
  const agents = [...groupBy(rows, ({ names }) => names[0]!)].map(([agent, own]) => ({ agent, rows: own }));
  const lines = agents.length > 1 ? [...agents, { agent: 'total', rows }] : agents;
  const columns: readonly Column<(typeof lines)[number]>[] = [
    { title: 'agent', text: ({ agent }) => agent },
    ...periods.flatMap((period): Column<(typeof lines)[number]>[] => [
      {
        title: period.title,
        align: 'right',
        text: (line) => {
          const sum = sumSince(line.rows, period);
          return sum.requests === 0 ? '–' : paidText({ ...sum, tokensSource: 'recorded' }, currency);
        },
      },
      {
        title: 'tokens',
        align: 'right',
        text: (line) => {
          const { requests, usage } = sumSince(line.rows, period);
          return requests === 0 ? '' : shortCount(promptTokens(usage) + usage.output);
        },
      },
    ]),
  ];
  const table =
    lines.length === 0 ? safe`no requests recorded this week or month\n` : renderTable(columns, lines, style);
  const next = NEXT.map((line) => style.dim(safe`  ${shown(line)}`));
  return safe`${table}\n${joined(next, '\n')}\n`;
}

function sumSince(rows: readonly GroupFacts[], { since }: Period): GroupFacts {
  return addedUp(
    [],
    rows.filter(({ names: [, day = ''] }) => day >= since),
  );
}
