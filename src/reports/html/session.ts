/** A session: what it cost, how its context grew, what its results cost, what its cache missed, and its transcript. */
import type { ReportSession } from '../../engine/report/report.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, plural, shortCount, tokensText } from '../../text/words.js';
import { columnsOf } from './columns.js';
import { contextHtml } from './context.js';
import { costHtml } from './cost.js';
import { type Figure, figureList, missFigure, paidFigures, problemFigure } from './figures.js';
import { messagesOf } from './messages.js';
import { missesHtml } from './misses.js';
import { concat, NOTHING, type Page, type SessionLook } from './page.js';
import { problemsHtml } from './problems.js';
import { resultsHtml } from './results.js';
import { spanOf } from './times.js';

export interface Part {
  readonly id: HtmlText;
  readonly title: string;
  readonly body: HtmlText;
}

/** The parts of a session that have anything to show. */
export function sessionParts(session: ReportSession, look: SessionLook): Part[] {
  const columns = columnsOf(session.requests);
  const parts: readonly (readonly [name: string, title: string, body: HtmlText])[] = [
    ['context', 'Context', columns.length === 0 ? NOTHING : contextHtml(session, columns, look)],
    ['cost', 'Cost', columns.length === 0 ? NOTHING : costHtml(session, columns, look)],
    ['results', 'Tool results', resultsHtml(session, look)],
    ['misses', 'Cache misses', missesHtml(session, look)],
    ['problems', 'Problems', problemsHtml(session, look)],
    ['transcript', 'Transcript', messagesOf(session, look)],
  ];
  return parts.flatMap(([name, title, body]) =>
    body === NOTHING ? [] : [{ id: html`${look.prefix}${htmlText(name)}`, title, body }],
  );
}

/** Cost, tokens and counts of a session. */
export function sessionFigures(session: ReportSession): HtmlText {
  const { shown, paid, findings, misses } = session;
  const { totals } = shown.facts;
  const missed = misses.reduce((sum, miss) => sum + miss.missed, 0);
  const calls = htmlText(plural(totals.toolCalls, 'tool call'));
  return figureList([
    ...(paid.requests === 0 ? [asOneRequest(totals)] : paidFigures(paid)),
    { title: 'messages', value: htmlText(shortCount(totals.messages)), note: calls },
    ...(misses.length === 0 ? [] : [missFigure(misses.length, html`${htmlText(shortCount(missed))} tokens`)]),
    problemFigure(findings.length),
  ]);
}

function asOneRequest({ cost, tokens, tokensSource }: ReportSession['shown']['facts']['totals']): Figure {
  const note = html`${htmlText(tokensText(tokens, tokensSource))} tokens`;
  return { title: 'as one request', value: htmlText(costInRow(cost, tokensSource)), note };
}

/** The title of a session, and what is known of it. */
export function sessionTitle(session: ReportSession, page: Page): { title: HtmlText; about: HtmlText } {
  const { shown, isOneOfMany } = session;
  const { file, line, id, agent, project, format, model } = shown.facts;
  const title = session.title ?? (project ?? file).split(/[\\/]/).findLast((name) => name !== '') ?? file;
  const times = spanOf(shown.requests.map(({ time }) => time));
  const about = [
    ...(project === undefined ? [] : [page.text(project)]),
    page.text(isOneOfMany ? `${file}:${line}` : file),
    ...(agent === undefined ? [] : [html`sub-agent ${page.text(agent)}`]),
    ...(id === undefined ? [] : [page.text(id)]),
    htmlText(format),
    ...(model === undefined ? [] : [page.text(model)]),
    ...(times === undefined ? [] : [times]),
  ];
  return { title: page.text(title), about: concat(about.map((text) => html`<span>${text}</span> `)) };
}
