/** How costs went by day, week or month, and what changed in the last seven days. */
import { toNumber } from '../../decimals.js';
import type { ReportFacts, TrendKey } from '../../engine/report/report.js';
import { UNKNOWN } from '../../measure/stats/group-keys.js';
import { type GroupFacts, groupBy } from '../../measure/stats/groups.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { joined } from '../../safe/text.js';
import { plural, shortCount, shortFolder } from '../../text/words.js';
import { barPath, countTick, dollarTick, legend, type Series, stackedChart } from './charts.js';
import { NOTHING, type Page } from './page.js';
import { besideChart, type HtmlColumn, tableOf } from './tables.js';
import { weekHtml } from './week.js';

/** Names with a color of their own; the others are one. */
const MOST_SERIES = 5;
/** More bars are weeks, and more weeks are months. */
const MOST_BARS = 45;
/** The share of all that days cost which the chart leaves out, and the share of the time that they have to take. */
const [LEAST_START, LEAST_CUT] = [0.01, 0.25];
const DAY_MS = 86_400_000;

/** Nothing where all was on one day. */
export function trendHtml(facts: ReportFacts, page: Page): HtmlText {
  const key = keyOf(facts);
  const dated = facts.days[key].filter(({ names: [day] }) => day !== UNKNOWN);
  const isPriced = dated.some(({ knownCost }) => knownCost > 0n);
  const amountOf = ({ knownCost, total }: GroupFacts) => (isPriced ? toNumber(knownCost) : total);
  const start = startOf(dated, amountOf);
  const groups = dated.filter(({ names }) => names[0]! >= start);
  const periods = periodsOf(groups.map(({ names }) => names[0]!));
  if (periods.names.length < 2) return NOTHING;
  const series = seriesOf(groups, periods, amountOf, page);
  const unit = isPriced ? 'Cost' : 'Tokens';
  const title = `${unit} by ${periods.unit} and ${key}`;
  const chart = stackedChart(
    series,
    {
      title,
      summary: plural(periods.names.length, periods.unit),
      ends: [htmlText(periods.names[0]!), htmlText(periods.names.at(-1)!)],
      tick: isPriced ? dollarTick : countTick,
    },
    barPath,
  );
  const rows = periods.names.map((name, index) => ({ name, index }));
  const show = (value: number) => (isPriced ? html`$${htmlText(value.toFixed(2))}` : htmlText(shortCount(value)));
  const sum = (index: number) => series.reduce((total, { values }) => total + values[index]!, 0);
  const columns = series.map(
    ({ title: name, values }): HtmlColumn<(typeof rows)[number]> => ({
      title: name,
      isNumber: true,
      cell: ({ index }) => (values[index] === 0 ? NOTHING : show(values[index]!)),
    }),
  );
  const table = tableOf<(typeof rows)[number]>(
    [
      { title: periods.unit, cell: ({ name }) => htmlText(name) },
      { title: 'total', isNumber: true, cell: ({ index }) => show(sum(index)) },
      ...columns,
    ],
    rows,
    { caption: htmlText(title), kind: 'data' },
  );
  const lead = html`${htmlText(`${title}.`)}${missing(facts, key)}${before(start, dated)}`;
  return html`<p class="lead">${lead}</p>${chart}${legend(series)}
${besideChart(table)}${weekHtml(facts, page)}`;
}

/** The first kind that tells anything apart. */
function keyOf({ days }: ReportFacts): TrendKey {
  const count = (key: TrendKey) => new Set(days[key].map(({ names }) => names[1])).size;
  return (['project', 'agent', 'model'] as const).find((key) => count(key) > 1) ?? 'model';
}

/** What the chart is without. */
function missing({ days }: ReportFacts, key: TrendKey): HtmlText {
  const undated = days[key].filter(({ names }) => names[0] === UNKNOWN);
  const count = (groups: readonly GroupFacts[], of: (group: GroupFacts) => number) =>
    groups.reduce((sum, group) => sum + of(group), 0);
  const parts = [
    ...counted(
      count(undated, ({ requests }) => requests),
      'without a time',
    ),
    ...counted(
      count(days[key], ({ unpriced }) => unpriced),
      'without a price',
    ),
  ];
  return parts.length === 0 ? NOTHING : html` Not in it: ${joined(parts, ', ')}.`;
}

/** Where the first days cost next to nothing, and would take much of the chart, it begins after them. */
function startOf(groups: readonly GroupFacts[], amountOf: (group: GroupFacts) => number): string {
  const sorted = groups.toSorted((a, b) => (a.names[0]! < b.names[0]! ? -1 : 1));
  const all = sorted.reduce((sum, group) => sum + amountOf(group), 0);
  let sum = 0;
  const start = sorted.find((group) => {
    sum += amountOf(group);
    return sum > LEAST_START * all;
  });
  const timeOf = (group: GroupFacts | undefined) => Date.parse(group?.names[0] ?? '');
  const [first, begin, last] = [sorted[0], start, sorted.at(-1)].map(timeOf) as [number, number, number];
  return begin - first > LEAST_CUT * (last - first) ? start!.names[0]! : '';
}

function before(start: string, dated: readonly GroupFacts[]): HtmlText {
  const earlier = dated.filter(({ names }) => names[0]! < start).reduce((sum, { requests }) => sum + requests, 0);
  return earlier === 0
    ? NOTHING
    : html` Before ${htmlText(start)}: ${htmlText(plural(earlier, 'request'))}, not shown.`;
}

function counted(count: number, what: string): HtmlText[] {
  return count === 0 ? [] : [html`${htmlText(plural(count, 'request'))} ${htmlText(what)}`];
}

// --- periods

interface Periods {
  readonly unit: 'day' | 'week' | 'month';
  /** From the first to the last, those without a request, too. */
  readonly names: readonly string[];
  of(day: string): string;
}

function periodsOf(days: readonly string[]): Periods {
  const sorted = [...new Set(days)].sort();
  const [first, last] = [Date.parse(sorted[0] ?? ''), Date.parse(sorted.at(-1) ?? '')];
  const count = (last - first) / DAY_MS;
  const unit = count < MOST_BARS ? 'day' : count < 7 * MOST_BARS ? 'week' : 'month';
  const of = (day: string) => NAMES[unit](Date.parse(day));
  const names = new Set<string>();
  for (let time = first; time <= last; time += DAY_MS) names.add(NAMES[unit](time));
  return { unit, names: [...names], of };
}

const dayName = (time: number) => new Date(time).toISOString().slice(0, 10);
const NAMES = {
  day: dayName,
  /** Its Monday. */
  week: (time: number) => dayName(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS),
  month: (time: number) => dayName(time).slice(0, 7),
} as const;

// --- series

function seriesOf(
  groups: readonly GroupFacts[],
  { names, of }: Periods,
  amountOf: (group: GroupFacts) => number,
  page: Page,
): Series[] {
  const at = new Map(names.map((name, index) => [name, index]));
  const whole = (own: readonly GroupFacts[]) => own.reduce((sum, group) => sum + amountOf(group), 0);
  const sorted = [...groupBy(groups, ({ names: [, name] }) => name!)].sort((a, b) => whole(b[1]) - whole(a[1]));
  const own = sorted.slice(0, sorted.length > MOST_SERIES ? MOST_SERIES - 1 : MOST_SERIES);
  const others = sorted.slice(own.length).flatMap(([, rest]) => rest);
  const all = others.length === 0 ? own : [...own, ['others', others] as const];
  return all.map(([name, rows], index) => {
    const values = new Array<number>(names.length).fill(0);
    for (const group of rows) values[at.get(of(group.names[0]!))!]! += amountOf(group);
    return { id: html`s${index + 1}`, title: page.plain(shortFolder(name)), values };
  });
}
