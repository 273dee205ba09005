/** Several sessions: where the money went, by day, project, model and tool, and the most expensive sessions. */
import type { ReportFacts, ReportGroup } from '../../engine/report/report.js';
import type { WholeSession } from '../../engine/report/sessions.js';
import { carriedByTool } from '../../engine/stats/carried-by-tool.js';
import type { GroupFacts } from '../../measure/stats/groups.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, paidText, plural, shortCount, shortFolder, tokensText } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { figureList, missFigure, paidFigures, problemFigure } from './figures.js';
import { lines, NOTHING, type Page } from './page.js';
import { sessionTitle } from './session.js';
import { type HtmlColumn, nameText, shareCell, tableOf } from './tables.js';
import { spanOf } from './times.js';

const GROUP_TITLES: Readonly<Record<ReportGroup, string>> = {
  day: 'By day',
  project: 'By project',
  model: 'By model',
  agent: 'By agent',
};
const MOST_ROWS = 40;

export function auditFigures({ stats, findings, cache, sessions }: ReportFacts): HtmlText {
  const messages = htmlText(plural(stats.totals.messages, 'message'));
  return figureList([
    ...paidFigures(stats.paid),
    { title: 'sessions', value: htmlText(shortCount(sessions.length)), note: messages },
    missFigure(cache.missed.requests, htmlText(paidText({ ...cache.missed, tokensSource: 'recorded' }))),
    problemFigure(findings.length),
  ]);
}

/** When the first and the last request were. */
export function auditSpan({ sessions }: ReportFacts): HtmlText {
  const times = sessions.flatMap(({ main, subagents }) => [main, ...subagents]).flatMap(({ shown }) => shown.requests);
  const span = spanOf(times.map(({ time }) => time));
  return span === undefined ? NOTHING : html`<span>${span}</span>`;
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
      { title: by, isName: true, cell: ({ names }) => nameCell(by, names[0]!, page) },
      { title: 'cost', isNumber: true, cell: (group) => htmlText(paidText(group)) },
      { title: 'share', isNumber: true, cell: ({ share }) => shareCell(share) },
      { title: 'requests', isNumber: true, isMinor: true, cell: ({ requests }) => htmlText(shortCount(requests)) },
      { title: 'input', isNumber: true, isMinor: true, cell: ({ usage }) => htmlText(shortCount(promptTokens(usage))) },
      { title: 'output', isNumber: true, isMinor: true, cell: ({ usage }) => htmlText(shortCount(usage.output)) },
    ],
    sorted.slice(0, MOST_ROWS),
    { caption: html`${htmlText(GROUP_TITLES[by])}${basisOf(sorted)}${restOf(sorted.length, MOST_ROWS)}` },
  );
}

/** Shares of costs and of tokens look the same. */
function basisOf(groups: readonly GroupFacts[]): HtmlText {
  return groups.every(({ cost }) => cost !== undefined) ? NOTHING : html`; shares of tokens, as a price is missing`;
}

/** Of the folder of a project the last names: the others are often the same. */
function nameCell(by: ReportGroup, name: string, page: Page): HtmlText {
  const short = by === 'project' ? shortFolder(name) : name;
  if (short === name) return nameText(page.plain(name));
  return html`<abbr title="${page.text(name)}">${nameText(page.plain(short))}</abbr>`;
}

function byPaid(groups: readonly GroupFacts[]): GroupFacts[] {
  return [...groups].sort((a, b) => Number(b.knownCost - a.knownCost) || b.total - a.total);
}

function restOf(count: number, most: number): HtmlText {
  return count > most ? html`, the first ${most} of ${count}` : NOTHING;
}

function toolTable({ carried, paid, totals }: ReportFacts['stats'], page: Page): HtmlText {
  const tools = carriedByTool(carried, paid);
  const source = totals.tokensSource;
  return tableOf(
    [
      { title: 'tool', isName: true, cell: ({ tool }) => nameText(page.plain(tool)) },
      { title: 'cost', isNumber: true, cell: ({ cost }) => htmlText(costInRow(cost, source)) },
      { title: 'share', isNumber: true, cell: ({ share }) => shareCell(share) },
      { title: 'results', isNumber: true, isMinor: true, cell: ({ results }) => htmlText(shortCount(results)) },
      { title: 'tokens', isNumber: true, isMinor: true, cell: ({ tokens }) => htmlText(tokensText(tokens, source)) },
    ],
    tools.slice(0, MOST_ROWS),
    { caption: html`By tool: what its results cost in all requests that sent them${restOf(tools.length, MOST_ROWS)}` },
  );
}

export interface ListedSession {
  readonly session: WholeSession;
  /** Its section or page; undefined if it has none. */
  readonly href: HtmlText | undefined;
}

/** The most expensive first. */
export function sessionTable(listed: readonly ListedSession[], page: Page): HtmlText {
  return tableOf<ListedSession>(
    [
      {
        title: 'session',
        isTitle: true,
        cell: ({ session, href }) => {
          const { title, place } = sessionTitle(session.main, page);
          const name = href === undefined ? title : html`<a href="${href}">${title}</a>`;
          return html`${name}<div class="about">${place}</div>`;
        },
      },
      { title: 'cost', isNumber: true, cell: ({ session: { paid } }) => htmlText(paidText(paid)) },
      {
        title: 'requests',
        isNumber: true,
        isMinor: true,
        cell: ({ session: { paid } }) => htmlText(shortCount(paid.requests)),
      },
      ...(listed.some(({ session }) => session.subagents.length > 0) ? [SUBAGENTS] : []),
      {
        title: 'messages',
        isNumber: true,
        isMinor: true,
        cell: ({ session }) => htmlText(shortCount(session.messages)),
      },
      {
        title: 'problems',
        isNumber: true,
        isMinor: true,
        cell: ({ session: { findings } }) => htmlText(shortCount(findings.length)),
      },
    ],
    listed.slice(0, MOST_SESSIONS),
    {
      caption: html`The most expensive sessions${restOf(listed.length, MOST_SESSIONS)}`,
    },
  );
}

const SUBAGENTS: HtmlColumn<ListedSession> = {
  title: 'sub-agents',
  isNumber: true,
  isMinor: true,
  cell: ({ session: { subagents } }) => (subagents.length === 0 ? NOTHING : html`${subagents.length}`),
};
const MOST_SESSIONS = 500;
