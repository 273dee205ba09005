/** What agents cost today, this week and this month, which sessions cost most, and what to do next. */

import type { Safety } from '../findings.js';
import { addedUp, type GroupFacts, groupBy } from '../measure/stats/groups.js';
import type { RequestSum } from '../measure/stats/request-sum.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { fitted, paidText, plural, shortCount } from '../text/words.js';
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

export interface HomeSession {
  /** What `@` takes. */
  readonly name: string;
  readonly title: string;
  readonly paid: RequestSum;
}

export interface HomeFacts {
  /** Requests by agent and day. */
  readonly rows: readonly GroupFacts[];
  readonly periods: readonly Period[];
  /** The most expensive ones of the month, the first one first. */
  readonly mostExpensive: readonly HomeSession[];
  /** The newest session: what its provider would refuse, and what keeps its agent from loading it. */
  readonly newest: NewestSession | undefined;
}

export interface NewestSession {
  readonly name: string;
  readonly errors: number;
  /** How many of them keep its agent from loading all of it. */
  readonly unloaded: number;
  readonly fix: Safety | undefined;
}

export function homePage(facts: HomeFacts, look: TableLook): SafeText {
  const { style } = look;
  const table = facts.rows.length === 0 ? safe`no requests recorded this week or month\n` : homeTable(facts, look);
  const next = nextOf(facts).map(([command, what]) => style.dim(safe`  ${shown(command.padEnd(39))}  ${shown(what)}`));
  const parts = [table, ...expensiveTable(facts, look), ...problemLines(facts), safe`${joined(next, '\n')}\n`];
  return joined(parts, '\n');
}

function nextOf({ mostExpensive: [first], newest }: HomeFacts): readonly (readonly [command: string, what: string])[] {
  return [
    [`ctx-trim show ${newest?.name ?? '@last'}`, 'read the newest session'],
    ...(first === undefined
      ? []
      : [[`ctx-trim report ${first.name} -o report.html`, 'see why the first one cost so much'] as const]),
    ['ctx-trim sessions', 'list all sessions, newest first'],
    ['ctx-trim stats --by day --recorded @all', 'list all days'],
    ['ctx-trim --help', 'list all commands'],
  ];
}

/** Columns of a title, in lines of 80. */
const TITLE = 49;

function expensiveTable({ mostExpensive }: HomeFacts, { style, currency }: TableLook): SafeText[] {
  if (mostExpensive.length < 2) return [];
  const columns: readonly Column<HomeSession>[] = [
    { title: 'most expensive', text: ({ name }) => name },
    { title: 'title', text: ({ title }) => fitted(title, TITLE) },
    {
      title: 'this month',
      align: 'right',
      text: ({ paid }) => paidText({ ...paid, tokensSource: 'recorded' }, currency),
    },
  ];
  return [renderTable(columns, mostExpensive, style)];
}

function problemLines({ newest }: HomeFacts): SafeText[] {
  if (newest === undefined || newest.errors === 0) return [];
  const { name, errors, unloaded, fix } = newest;
  const which = [
    ...(unloaded < errors ? ['its provider would refuse'] : []),
    ...(unloaded > 0 ? [`${errors === 1 ? 'keeps' : 'keep'} it from loading`] : []),
  ].join(' or that ');
  const level = fix === undefined || fix === 'safe' ? '' : `=${fix}`;
  const command = shown(`ctx-trim check${fix === undefined ? '' : ` --fix${level} --diff`} ${name}`);
  const what = fix === undefined ? safe`see what` : safe`see the repair`;
  const count = plural(errors, 'error');
  return [safe`The newest session has ${count} that ${shown(which)}; ${what}:\n  ${command}\n`];
}

function homeTable({ rows, periods }: HomeFacts, look: TableLook): SafeText {
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
  return renderTable(columns, lines, style);
}

function sumSince(rows: readonly GroupFacts[], { since }: Period): GroupFacts {
  return addedUp(
    [],
    rows.filter(({ names: [, day = ''] }) => day >= since),
  );
}
