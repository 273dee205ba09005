/** A session: what it cost, how its context grew, what its results cost, what its cache missed, and its transcript. */
import type { ReportSession, WholeSession } from '../../engine/report/sessions.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, plural, shortCount, tokensText } from '../../text/words.js';
import { isIn } from '../stats.js';
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
  /** Stands beside another one where the page is wide. */
  readonly isHalf?: boolean;
}

/** The parts of a session that have anything to show. */
export function sessionParts(session: ReportSession, look: SessionLook, subagents = NOTHING): Part[] {
  const columns = columnsOf(session.requests);
  const parts: readonly (readonly [name: string, title: string, body: HtmlText])[] = [
    ['context', 'Context', columns.length === 0 ? NOTHING : contextHtml(session, columns, look)],
    ['cost', 'Cost', columns.length === 0 ? NOTHING : costHtml(session, columns, look)],
    ['results', 'Tool results', resultsHtml(session, look)],
    ['misses', 'Cache misses', missesHtml(session, look)],
    ['problems', 'Problems', problemsHtml(session, look)],
    ['agents', 'Sub-agents', subagents],
    ['transcript', 'Transcript', messagesOf(session, look)],
  ];
  return parts.flatMap(([name, title, body]) =>
    body === NOTHING ? [] : [{ id: html`${look.prefix}${htmlText(name)}`, title, body, isHalf: HALVES.has(name) }],
  );
}

const HALVES: ReadonlySet<string> = new Set(['context', 'cost']);

/** Cost, tokens and counts of a session, its sub-agents included. */
export function sessionFigures(session: WholeSession): HtmlText {
  const { main, subagents, paid, findings, misses, messages, toolCalls } = session;
  const missed = misses.reduce((sum, miss) => sum + miss.missed, 0);
  const calls = htmlText(plural(toolCalls, 'tool call'));
  const count = { title: 'sub-agents', value: htmlText(shortCount(subagents.length)), note: html`included` };
  return figureList([
    ...(paid.requests === 0 ? [asOneRequest(main.shown.facts.totals)] : paidFigures(paid)),
    { title: 'messages', value: htmlText(shortCount(messages)), note: calls },
    ...(subagents.length === 0 ? [] : [count]),
    ...(misses.length === 0 ? [] : [missFigure(misses.length, html`${htmlText(shortCount(missed))} tokens`)]),
    problemFigure(findings.length),
  ]);
}

function asOneRequest({ cost, tokens, tokensSource }: ReportSession['shown']['facts']['totals']): Figure {
  const note = html`${htmlText(tokensText(tokens, tokensSource))} tokens`;
  return { title: 'as one request', value: htmlText(costInRow(cost, tokensSource)), note };
}

export interface SessionTitle {
  readonly title: HtmlText;
  /** What is known of it. */
  readonly about: HtmlText;
  /** Where and when it was: what tells it from others. */
  readonly place: HtmlText;
}

export function sessionTitle(session: ReportSession, page: Page): SessionTitle {
  const { shown, isOneOfMany, title = nameOf(session) } = session;
  const { file, line, id, agent, project, format, model } = shown.facts;
  const times = spanOf(shown.requests.map(({ time }) => time));
  const own = {
    project: project === undefined ? [] : [page.text(project)],
    agent: agent === undefined ? [] : [html`sub-agent ${page.text(agent)}`],
    model: model === undefined ? [] : [page.text(model)],
    times: times === undefined ? [] : [times],
  };
  const source = [page.text(isOneOfMany ? `${file}:${line}` : file)];
  if (id !== undefined && !isIn(file, id)) source.push(html`id ${page.text(id)}`);
  return {
    title: page.text(title),
    about: spans([...own.project, ...source, ...own.agent, htmlText(format), ...own.model, ...own.times]),
    place: spans([...own.project, htmlText(format), ...own.model, ...own.times]),
  };
}

function spans(texts: readonly HtmlText[]): HtmlText {
  return concat(texts.map((text) => html`<span>${text}</span> `));
}

/** Without a title: the folder in which it worked, else its file. */
function nameOf({ shown }: ReportSession): string {
  const { project, file } = shown.facts;
  return (project ?? file).split(/[\\/]/).findLast((name) => name !== '') ?? file;
}
