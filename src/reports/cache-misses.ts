/** `stats --cache`: why prompt caches missed, for people and for programs. */
import { toNumber } from '../decimals.js';
import { cacheDocument } from '../documents/cache.js';
import { printed } from '../documents/print.js';
import { byCost, type CacheFigures, type CacheMiss, type MissSum } from '../measure/stats/cache-figures.js';
import type { CacheFacts } from '../measure/stats/cache-misses.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { type Currency, rateLine } from '../text/money.js';
import { costInRow, costText, grouped, paidText, percent, plural, shortCount, wrapped } from '../text/words.js';
import { CAUSES } from './cache-causes.js';
import { omissionLines } from './omissions.js';
import type { Report, Style } from './report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from './rows.js';

/** `top`: the most misses that tables and CSV list; 10 in tables, all in CSV by default. */
export function cacheReport(top: number | undefined): Report<CacheFacts> {
  return {
    table(facts, { style, currency }) {
      const heading = style.bold(headline(facts, currency));
      if (facts.missed.requests === 0)
        return safe`${lines([heading, ...closing(facts, currency, style)])}${omissionLines(facts.omissions, style)}`;
      const causes = renderTable(causeColumns(currency), causeRows(facts), style);
      const title = style.bold(safe`most expensive misses`);
      const listed = mostExpensive(facts, top ?? MISSES_SHOWN);
      const misses = renderTable(missColumns(currency, isOfOne(listed)), listed, style);
      const opens = listed
        .slice(0, 1)
        .map((miss) => shown(`open the first with ctx-trim show ${addressOf(miss, false)}`));
      const advice = [...adviceLines(facts), ...closing(facts, currency, style)];
      const rest = lines([...opens.map(style.dim), safe``, ...advice]);
      const missing = omissionLines(facts.omissions, style);
      return safe`${lines([heading, safe``])}${causes}\n${title}\n${misses}${rest}${missing}`;
    },
    csv: (facts) => renderCsv(CSV_COLUMNS, mostExpensive(facts, top)),
    markdown(facts, { currency }) {
      const causes = renderMarkdown(causeColumns(currency), causeRows(facts));
      const misses = mostExpensive(facts, top ?? MISSES_SHOWN);
      return safe`${causes}\n${renderMarkdown(missColumns(currency, false), misses)}`;
    },
    json: (facts) => printed(cacheDocument(facts)),
  };
}

const MISSES_SHOWN = 10;
const WIDTH = 80;

const lines = (texts: readonly SafeText[]): SafeText => safe`${joined(texts, '\n')}\n`;

function mostExpensive({ sessions }: CacheFacts, most: number | undefined): CacheMiss[] {
  return sessions
    .flatMap(({ misses }) => misses)
    .sort(byCost)
    .slice(0, most);
}

/** `38 of 412 requests missed 1,213,392 cached tokens: $14.24 of $30.33`. */
function headline({ requests, missed, paid }: CacheFigures, currency: Currency): SafeText {
  if (requests === 0) return safe`no cache figures recorded`;
  const of = plural(requests, 'request');
  if (missed.requests === 0) return safe`none of ${of} missed the cache`;
  const misses = safe`${grouped(missed.requests)} of ${of} missed ${plural(missed.missed, 'cached token')}`;
  if (missed.cost === undefined && missed.knownCost === 0n) return safe`${misses}, cost unknown`;
  return safe`${misses}: ${paidText({ ...missed, tokensSource: 'recorded' }, currency)} of ${paidText(paid, currency)}`;
}

/** What was read, and what could not be judged. */
function closing(facts: CacheFacts, currency: Currency, style: Style): SafeText[] {
  const { possible, read, causes, sessions, withoutFigures } = facts;
  const first = causes.find(({ cause }) => cause === 'first');
  const hits =
    possible === 0
      ? []
      : [safe`cache hits      ${shortCount(read)} of ${shortCount(possible)} tokens (${percent(read / possible)})`];
  const silent =
    withoutFigures === 0 || sessions.length === 0
      ? []
      : [safe`${plural(withoutFigures, 'session')} without recorded cache figures skipped`];
  const starts = first && possible > 0 ? [safe`first requests  ${grouped(first.requests)}, with nothing to read`] : [];
  return [...hits, ...starts, ...[...silent, ...rateLine(currency)].map(style.dim)];
}

// --- causes

/** A line for each cause that one can do something about, in the order of the table. */
function adviceLines({ causes }: CacheFacts): SafeText[] {
  const advised = causes.flatMap(({ cause }) => {
    const { title, advice } = CAUSES[cause];
    return advice === undefined ? [] : [wrapped(`${title}: ${advice}`, WIDTH)];
  });
  return advised.length === 0 ? [] : [...advised.flat(), safe``];
}

interface CauseRow extends MissSum {
  readonly title: string;
}

/** The causes of misses, and their total. */
function causeRows({ causes, missed }: CacheFigures): CauseRow[] {
  const rows = causes
    .filter(({ cause }) => cause !== 'first')
    .map((sum): CauseRow => ({ ...sum, title: CAUSES[sum.cause].title }));
  return rows.length > 1 ? [...rows, { ...missed, title: 'total' }] : rows;
}

function causeColumns(currency: Currency): readonly Column<CauseRow>[] {
  return [
    { title: 'cause', text: ({ title }) => title },
    { title: 'requests', align: 'right', text: ({ requests }) => grouped(requests) },
    { title: 'missed', align: 'right', text: ({ missed }) => grouped(missed) },
    {
      title: 'cost',
      align: 'right',
      text: (sum) => paidText({ ...sum, tokensSource: 'recorded' }, currency, costInRow),
    },
  ];
}

// --- misses

/** `isOfOne`: all are of one transcript, so its file need not stand in each row. */
function missColumns(currency: Currency, isOfOne: boolean): readonly Column<CacheMiss>[] {
  return [
    { title: 'request', width: 24, keeps: 'end', text: (miss) => addressOf(miss, isOfOne) },
    { title: 'after', align: 'right', text: ({ idle }) => (idle === undefined ? '' : durationText(idle)) },
    { title: 'missed', align: 'right', text: ({ missed }) => shortCount(missed) },
    { title: 'cost', align: 'right', text: ({ cost }) => costInRow(cost, 'exact', currency) },
    { title: 'cause', text: causeText },
  ];
}

/** As `ctx-trim show` takes it. */
function addressOf({ file, line, index }: CacheMiss, isShort: boolean): string {
  return isShort ? `#${index}` : `${file}:${line}#${index}`;
}

function isOfOne([first, ...others]: readonly CacheMiss[]): boolean {
  return others.every(({ file, line }) => file === first?.file && line === first.line);
}

function causeText({ cause, changed }: CacheMiss): string {
  return changed === undefined ? CAUSES[cause].title : `message ${changed} changed`;
}

/** `4 s`, `2 min 31 s`, `3 h 20 min`. */
function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const CSV_COLUMNS: readonly Column<CacheMiss>[] = [
  { title: 'file', text: ({ file }) => file },
  { title: 'line', text: ({ line }) => String(line) },
  { title: 'session', text: ({ session }) => session ?? '' },
  { title: 'request', text: ({ request }) => String(request) },
  { title: 'index', text: ({ index }) => String(index) },
  { title: 'model', text: ({ model }) => model ?? '' },
  { title: 'time', text: ({ time }) => (time === undefined ? '' : new Date(time).toISOString()) },
  { title: 'cause', text: ({ cause }) => cause },
  { title: 'changed_index', text: ({ changed }) => (changed === undefined ? '' : String(changed)) },
  { title: 'idle_seconds', text: ({ idle }) => (idle === undefined ? '' : String(idle)) },
  { title: 'possible', text: ({ possible }) => String(possible) },
  { title: 'read', text: ({ read }) => String(read) },
  { title: 'missed', text: ({ missed }) => String(missed) },
  {
    title: 'missed_cost_usd',
    text: ({ cost }) => costText(cost, 'exact'),
    value: ({ cost }) => (cost === undefined ? undefined : toNumber(cost)),
  },
];
