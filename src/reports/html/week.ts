/** What changed in the seven days up to the last request, against the seven days before. */
import type { ReportFacts, TrendKey } from '../../engine/report/report.js';
import { UNKNOWN } from '../../measure/stats/group-keys.js';
import type { GroupFacts } from '../../measure/stats/groups.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { formatMoneyInRow } from '../../text/money.js';
import { shortFolder, shortModel } from '../../text/words.js';
import { NOTHING, type Page } from './page.js';
import { nameText, tableOf } from './tables.js';

const DAY_MS = 86_400_000;
const MOST_CHANGES = 10;

interface Change {
  readonly kind: TrendKey | 'total';
  readonly name: string;
  readonly now: bigint;
  readonly before: bigint;
}

interface Weeks {
  /** The first and the last day of each. */
  readonly now: readonly [string, string];
  readonly before: readonly [string, string];
  /** All together first, then what changed most. */
  readonly changes: readonly [Change, ...Change[]];
}

/** Undefined where nothing was paid in the last week, or where all is of it: there is nothing to compare. */
function weeksOf({ days }: ReportFacts): Weeks | undefined {
  const known = days.model.filter(({ names }) => names[0] !== UNKNOWN);
  const last = known
    .map(({ names }) => names[0]!)
    .sort()
    .at(-1);
  if (last === undefined) return undefined;
  const day = (back: number) => new Date(Date.parse(last) - back * DAY_MS).toISOString().slice(0, 10);
  const [now, before] = [
    [day(6), last],
    [day(13), day(7)],
  ] as const;
  const changesBy = (kind: TrendKey): Change[] => {
    const names = [...new Set(days[kind].map(({ names: [, name] }) => name!))];
    return names.map((name) => {
      const own = days[kind].filter((group) => group.names[1] === name);
      return { kind, name, now: paidIn(own, now), before: paidIn(own, before) };
    });
  };
  const total: Change = { kind: 'total', name: '', now: paidIn(known, now), before: paidIn(known, before) };
  if (total.now === 0n || known.every(({ names: [own = ''] }) => own >= now[0])) return undefined;
  const changes = (['project', 'model', 'agent'] as const)
    .map(changesBy)
    .flatMap((own) => (own.length > 1 ? own : []))
    .filter((change) => change.now !== change.before)
    .sort((a, b) => (differenceOf(b) > differenceOf(a) ? 1 : -1));
  return { now, before, changes: [total, ...changes.slice(0, MOST_CHANGES)] };
}

function paidIn(groups: readonly GroupFacts[], [from, to]: readonly [string, string]): bigint {
  const own = groups.filter(({ names: [day = ''] }) => day >= from && day <= to);
  return own.reduce((sum, { knownCost }) => sum + knownCost, 0n);
}

function differenceOf({ now, before }: Change): bigint {
  return now > before ? now - before : before - now;
}

/** A sentence for the headline. */
export function weekSentence(facts: ReportFacts): HtmlText {
  const weeks = weeksOf(facts);
  if (weeks === undefined) return NOTHING;
  const [{ now, before }] = weeks.changes;
  const cost = html`The last 7 days cost <b>${htmlText(formatMoneyInRow(now))}</b>, the 7 days before`;
  if (before === 0n) return html`${cost} nothing.`;
  return html`${cost} ${htmlText(formatMoneyInRow(before))} (${changeText({ now, before })}).`;
}

const SHORT: Readonly<Record<Change['kind'], (name: string) => string>> = {
  total: (name) => name,
  agent: (name) => name,
  model: shortModel,
  project: shortFolder,
};

/** Nothing where there is nothing to compare with. */
export function weekHtml(facts: ReportFacts, page: Page): HtmlText {
  const weeks = weeksOf(facts);
  if (weeks === undefined || weeks.changes[0].before === 0n) return NOTHING;
  const { now, before, changes } = weeks;
  return tableOf<Change>(
    [
      { title: 'where', isName: true, cell: ({ kind, name }) => nameText(page.plain(`${kind} ${SHORT[kind](name)}`)) },
      {
        title: '7 days before',
        isNumber: true,
        isMinor: true,
        cell: (change) => htmlText(formatMoneyInRow(change.before)),
      },
      { title: 'last 7 days', isNumber: true, cell: (change) => htmlText(formatMoneyInRow(change.now)) },
      { title: 'change', isNumber: true, cell: differenceText },
      { title: 'in percent', isNumber: true, isMinor: true, cell: shareText },
    ],
    changes,
    { caption: html`What changed: ${spanText(now)} against ${spanText(before)}` },
  );
}

function spanText([from, to]: readonly [string, string]): HtmlText {
  return htmlText(`${from} to ${to}`);
}

type Amounts = Pick<Change, 'now' | 'before'>;

/** `+$0.25, +40 %`. */
function changeText(amounts: Amounts): HtmlText {
  return html`${differenceText(amounts)}, ${shareText(amounts)}`;
}

function differenceText({ now, before }: Amounts): HtmlText {
  const difference = now < before ? before - now : now - before;
  return html`${signOf({ now, before })}${htmlText(formatMoneyInRow(difference))}`;
}

function shareText({ now, before }: Amounts): HtmlText {
  if (before === 0n) return html`new`;
  const difference = now < before ? before - now : now - before;
  return html`${signOf({ now, before })}${Number((difference * 100n) / before)} %`;
}

function signOf({ now, before }: Amounts): HtmlText {
  return now < before ? html`\u2212` : html`+`;
}
