/** Several sessions: where the money went, by day, project, model and tool, and the most expensive sessions. */
import type { ReportFacts, ReportGroup, ReportSession } from '../../app/report/report.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import type { GroupFacts } from '../../stats/groups.js';
import { costInRow, paidText, percent, plural, shortCount, tokensText } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { carriedByTool } from '../carried.js';
import { concat, lines, NOTHING, type Page } from './page.js';
import { sessionTitle } from './session.js';
import { shareCell, tableOf } from './tables.js';

const GROUP_TITLES: Readonly<Record<ReportGroup, string>> = {
  day: 'By day',
  project: 'By project',
  model: 'By model',
  agent: 'By agent',
};
const MOST_ROWS = 40;

export function auditFigures({ stats, findings, cache, sessions }: ReportFacts): HtmlText {
  const { paid, totals } = stats;
  const prompt = promptTokens(paid.usage);
  const cost = htmlText(paidText(paid));
  const rows: readonly (readonly [string, HtmlText, HtmlText])[] = [
    ['cost', cost, html`${htmlText(plural(paid.requests, 'request'))}`],
    ['sessions', htmlText(shortCount(sessions.length)), html`${htmlText(plural(totals.messages, 'message'))}`],
    [
      'input tokens',
      htmlText(shortCount(prompt)),
      html`${htmlText(percent(prompt === 0 ? 0 : paid.usage.cacheRead / prompt))} from cache`,
    ],
    ['output tokens', htmlText(shortCount(paid.usage.output)), NOTHING],
    [
      'cache misses',
      htmlText(shortCount(cache.missed.requests)),
      htmlText(paidText({ ...cache.missed, tokensSource: 'recorded' })),
    ],
    ['problems', htmlText(shortCount(findings.length)), html`found by check`],
  ];
  const items = rows.map(
    ([title, value, note]) => html`<div><dt>${htmlText(title)}</dt><dd><b>${value}</b> <span>${note}</span></dd></div>`,
  );
  return html`<dl class="figures">${concat(items)}</dl>`;
}

/** The tables of groups: those with more than one row, and the tools. */
export function auditTables({ groups, stats }: ReportFacts, page: Page): HtmlText {
  const tables = (Object.keys(GROUP_TITLES) as ReportGroup[]).flatMap((by) => {
    const rows = groups[by];
    return rows.length > 1 || by === 'model' ? [groupTable(by, rows, page)] : [];
  });
  return html`<div class="pair">${lines([...tables, toolTable(stats, page)])}</div>`;
}

function groupTable(by: ReportGroup, groups: readonly GroupFacts[], page: Page): HtmlText {
  const sorted = by === 'day' ? [...groups].sort((a, b) => (a.names[0]! < b.names[0]! ? 1 : -1)) : byPaid(groups);
  return tableOf<GroupFacts>(
    [
      { title: by, cell: ({ names }) => page.text(names[0]!) },
      { title: 'cost', isNumber: true, cell: (group) => htmlText(paidText(group)) },
      { title: 'share', isNumber: true, cell: ({ share }) => shareCell(share) },
      { title: 'requests', isNumber: true, cell: ({ requests }) => htmlText(shortCount(requests)) },
      { title: 'input', isNumber: true, cell: ({ usage }) => htmlText(shortCount(promptTokens(usage))) },
      { title: 'output', isNumber: true, cell: ({ usage }) => htmlText(shortCount(usage.output)) },
    ],
    sorted.slice(0, MOST_ROWS),
    { caption: html`${htmlText(GROUP_TITLES[by])}${moreRows(sorted.length)}` },
  );
}

function byPaid(groups: readonly GroupFacts[]): GroupFacts[] {
  return [...groups].sort((a, b) => Number(b.knownCost - a.knownCost) || b.total - a.total);
}

function moreRows(count: number): HtmlText {
  return count > MOST_ROWS ? html`, the first ${MOST_ROWS} of ${count}` : NOTHING;
}

function toolTable({ carried, paid, totals }: ReportFacts['stats'], page: Page): HtmlText {
  const tools = carriedByTool(carried, paid);
  const source = totals.tokensSource;
  return tableOf(
    [
      { title: 'tool', cell: ({ tool }) => page.text(tool) },
      { title: 'cost of its results', isNumber: true, cell: ({ cost }) => htmlText(costInRow(cost, source)) },
      { title: 'share', isNumber: true, cell: ({ share }) => shareCell(share) },
      { title: 'results', isNumber: true, cell: ({ results }) => htmlText(shortCount(results)) },
      { title: 'tokens', isNumber: true, cell: ({ tokens }) => htmlText(tokensText(tokens, source)) },
    ],
    tools.slice(0, MOST_ROWS),
    { caption: html`By tool: what its results cost in all requests that sent them${moreRows(tools.length)}` },
  );
}

export interface ListedSession {
  readonly session: ReportSession;
  /** Its section or page; undefined if it has none. */
  readonly href: HtmlText | undefined;
}

/** The most expensive first. */
export function sessionTable(listed: readonly ListedSession[], page: Page): HtmlText {
  return tableOf<ListedSession>(
    [
      {
        title: 'session',
        cell: ({ session, href }) => {
          const { title, about } = sessionTitle(session, page);
          const name = href === undefined ? title : html`<a href="${href}">${title}</a>`;
          return html`${name} <span class="about">${about}</span>`;
        },
      },
      { title: 'cost', isNumber: true, cell: ({ session: { paid } }) => htmlText(paidText(paid)) },
      { title: 'requests', isNumber: true, cell: ({ session: { paid } }) => htmlText(shortCount(paid.requests)) },
      { title: 'messages', isNumber: true, cell: ({ session: { shown } }) => htmlText(shortCount(shown.count)) },
      { title: 'problems', isNumber: true, cell: ({ session: { findings } }) => htmlText(shortCount(findings.length)) },
    ],
    listed.slice(0, MOST_SESSIONS),
    {
      caption: html`The most expensive sessions${listed.length > MOST_SESSIONS ? html`, the first ${MOST_SESSIONS} of ${listed.length}` : NOTHING}`,
    },
  );
}

const MOST_SESSIONS = 500;
