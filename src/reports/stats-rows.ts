/** The rows of `stats --by` for people: what each role, tool or group of requests used and cost. */

import type { Rows } from '../engine/stats/order.js';
import { greatest } from '../lists.js';
import { addedUp, type GroupFacts, shareBasis } from '../measure/stats/groups.js';
import { type RequestSum, sourceOf } from '../measure/stats/request-sum.js';
import type { ShareFacts } from '../measure/stats/shares.js';
import { type Currency, moneyColumn } from '../text/money.js';
import { widthOf } from '../text/width.js';
import {
  bar,
  fitted,
  fittedEnd,
  grouped,
  paidInColumn,
  percent,
  shortCount,
  shortModel,
  tokensText,
} from '../text/words.js';
import { type Column, GAP, tableWidth } from './rows.js';

/** Rows and a total row if there are several; a row in between stands for those that `--top` leaves out. */
export function withTotal(
  by: readonly Rows[],
  shown: readonly GroupFacts[],
  all: readonly GroupFacts[],
): readonly GroupFacts[] {
  if (all.length < 2) return shown;
  const listed = new Set(shown);
  const others = all.filter((group) => !listed.has(group));
  const nameless = by.slice(1).map(() => '');
  const rest = others.length === 0 ? [] : [addedUp([`(${others.length} more)`, ...nameless], others)];
  return [...shown, ...rest, addedUp(['total', ...nameless], all)];
}

/** The same for roles and tools. */
export function sharesWithTotal(shown: readonly ShareFacts[], all: readonly ShareFacts[]): readonly ShareFacts[] {
  if (all.length < 2) return shown;
  const listed = new Set(shown);
  const others = all.filter((row) => !listed.has(row));
  const rest = others.length === 0 ? [] : [sharesUp(`(${others.length} more)`, others)];
  return [...shown, ...rest, sharesUp('total', all)];
}

function sharesUp(name: string, rows: readonly ShareFacts[]): ShareFacts {
  const sum = (key: 'messages' | 'calls' | 'results' | 'tokens' | 'share') =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    name,
    messages: sum('messages'),
    calls: sum('calls'),
    results: sum('results'),
    tokens: sum('tokens'),
    share: sum('share'),
  };
}

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
    { title: by, text: ({ name }) => name, value: ({ name }) => name },
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

export interface GroupTable {
  readonly by: readonly Rows[];
  /** The sum of all rows. */
  readonly paid: RequestSum;
  readonly currency: Currency;
  /** Columns of the terminal; Infinity if the output is none. */
  readonly room: number;
}

/** The columns that fit: whole numbers and names where there is room, else short ones. */
export function groupColumns(table: GroupTable, rows: readonly GroupFacts[]): readonly Column<GroupFacts>[] {
  const fits = (columns: readonly Column<GroupFacts>[]) => tableWidth(columns, rows) <= table.room;
  const whole = [...nameColumns(table.by, rows), ...figureColumns(table, rows, grouped)];
  if (fits(whole)) return whole;
  const short = figureColumns(table, rows, shortCount);
  const names = nameColumns(table.by, rows);
  if (fits([...names, ...short])) return [...names, ...short];
  const shortNames = names.map((column) => (column.title === 'model' ? shortModels(column, rows) : column));
  if (fits([...shortNames, ...short])) return [...shortNames, ...short];
  const tables = DROPPED.map((dropped) => {
    const figures = short.filter(({ title }) => !dropped.includes(title.split('\n')[0]!));
    return [...narrowed(shortNames, rows, table.room - tableWidth(figures, rows) - GAP), ...figures];
  });
  return tables.find(fits) ?? tables.at(-1)!;
}

/** Figures that a narrow terminal does not show, so that names stay distinct: each next try leaves out more. */
const DROPPED: readonly (readonly string[])[] = [
  [],
  ['window'],
  ['window', 'share'],
  ['window', 'share', 'requests'],
  ['window', 'share', 'requests', 'cache_'],
];

/** A name is not cut below this. */
const LEAST_NAME = 16;

function nameColumns(by: readonly Rows[], rows: readonly GroupFacts[]): Column<GroupFacts>[] {
  const names = by.map((title, at): Column<GroupFacts> => ({ title, text: ({ names: of }) => of[at]! }));
  return by[0] === 'request' && rows.some(({ model }) => model !== undefined)
    ? [...names, { title: 'model', text: ({ model }) => model ?? '' }]
    : names;
}

/** Without maker and day, where the models stay distinct. */
function shortModels(column: Column<GroupFacts>, rows: readonly GroupFacts[]): Column<GroupFacts> {
  const models = new Set(rows.map(column.text));
  const isDistinct = new Set([...models].map(shortModel)).size === models.size;
  return isDistinct ? { ...column, text: (row) => shortModel(column.text(row)) } : column;
}

/** Cuts the names to a width, the longest column first, but never so short that two different names look alike. */
function narrowed(
  columns: readonly Column<GroupFacts>[],
  rows: readonly GroupFacts[],
  room: number,
): Column<GroupFacts>[] {
  const measured = columns.map((column) => ({ column, width: tableWidth([column], rows), ...leastCut(column, rows) }));
  let excess = measured.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1)) - room;
  const cut = new Map<Column<GroupFacts>, Column<GroupFacts>>();
  for (const { column, width, least, keeps } of [...measured].sort((a, b) => b.width - a.width)) {
    if (excess <= 0) break;
    const less = Math.max(Math.min(width, least), width - excess);
    cut.set(column, { ...column, width: less, keeps });
    excess -= width - less;
  }
  return columns.map((column) => cut.get(column) ?? column);
}

/** The least width that keeps different names apart, and the end that is kept: the end of paths. */
function leastCut(column: Column<GroupFacts>, rows: readonly GroupFacts[]): { least: number; keeps: 'start' | 'end' } {
  const names = [...new Set(rows.map(column.text))];
  const end = leastApart(names, fittedEnd);
  if (names.some((name) => name.includes('/'))) return { least: end, keeps: 'end' };
  const start = leastApart(names, fitted);
  return start <= end ? { least: start, keeps: 'start' } : { least: end, keeps: 'end' };
}

function leastApart(names: readonly string[], cut: typeof fitted): number {
  const longest = greatest(names.map(widthOf), LEAST_NAME);
  let [least, most] = [LEAST_NAME, longest];
  while (least < most) {
    const width = Math.floor((least + most) / 2);
    if (new Set(names.map((name) => cut(name, width))).size === names.length) most = width;
    else least = width + 1;
  }
  return least;
}

function figureColumns(
  { by, paid, currency }: GroupTable,
  rows: readonly GroupFacts[],
  written: typeof grouped,
): Column<GroupFacts>[] {
  const count = (title: string, of: (row: GroupFacts) => number): Column<GroupFacts> => ({
    title,
    align: 'right',
    text: (row) => (sourceOf(row) === 'estimated' && of(row) > 0 ? '~' : '') + written(of(row)),
  });
  const optional = (column: Column<GroupFacts>, of: (row: GroupFacts) => number) =>
    rows.some((row) => of(row) > 0) ? [column] : [];
  const cacheRead = ({ usage }: GroupFacts) => usage.cacheRead;
  const cacheWrite = ({ usage }: GroupFacts) => usage.cacheWrite5m + usage.cacheWrite1h;
  const money = moneyColumn(
    rows.map(({ knownCost }) => knownCost),
    currency,
  );
  const requests: Column<GroupFacts> = { title: 'requests', align: 'right', text: (row) => grouped(row.requests) };
  const windows: Column<GroupFacts> = {
    title: 'window',
    text: ({ window }) => (window === undefined ? '' : `${bar(window, 8)} ${percent(window)}`),
  };
  return [
    ...(by[0] === 'request' ? [] : [requests]),
    count('input', ({ usage }) => usage.input),
    ...optional(count('cache_\nread', cacheRead), cacheRead),
    ...optional(count('cache_\nwrite', cacheWrite), cacheWrite),
    count('output', ({ usage }) => usage.output),
    {
      title: `cost_${currency.code.toLowerCase()}`,
      align: 'right',
      text: (row) =>
        row.requests === 0 && row.total === 0 && row.knownCost === 0n
          ? '–'
          : paidInColumn({ ...row, tokensSource: sourceOf(row) }, money),
    },
    ...(by[0] === 'request' && rows.some(({ window }) => window !== undefined) ? [windows] : []),
    { title: `share\nof ${shareBasis(paid)}`, align: 'right', text: ({ share }) => percent(share) },
  ];
}
