/** A session: what it cost, how its context grew, what its results cost, what its cache missed, and its transcript. */
import type { ReportSession } from '../../app/report/report.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, paidText, percent, plural, shortCount, tokensText } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { columnsOf } from './columns.js';
import { contextHtml } from './context.js';
import { costHtml } from './cost.js';
import { messagesOf } from './messages.js';
import { missesHtml } from './misses.js';
import { concat, NOTHING, type Page } from './page.js';
import { problemsHtml } from './problems.js';
import { resultsHtml } from './results.js';
import { spanOf } from './times.js';

export interface SessionLook {
  /** In front of all ids; empty for the first session of a page. */
  readonly prefix: HtmlText;
  readonly page: Page;
}

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

/** Cost, tokens and counts of a session, as a list of figures. */
export function sessionFigures(session: ReportSession): HtmlText {
  const { shown, paid, findings, misses } = session;
  const { totals } = shown.facts;
  const { usage } = paid;
  const prompt = promptTokens(usage);
  const missed = misses.reduce((sum, miss) => sum + miss.missed, 0);
  const rows: readonly (readonly [string, HtmlText, HtmlText])[] = [
    ...(paid.requests === 0
      ? ([
          ['as one request', costOne(totals), html`${htmlText(tokensText(totals.tokens, totals.tokensSource))} tokens`],
        ] as const)
      : ([
          ['cost', htmlText(paidText(paid)), html`${htmlText(plural(paid.requests, 'request'))}`],
          [
            'input tokens',
            htmlText(shortCount(prompt)),
            html`${htmlText(percent(prompt === 0 ? 0 : usage.cacheRead / prompt))} from cache`,
          ],
          [
            'output tokens',
            htmlText(shortCount(usage.output)),
            usage.reasoning > 0 ? html`${htmlText(shortCount(usage.reasoning))} reasoning` : NOTHING,
          ],
        ] as const)),
    ['messages', htmlText(shortCount(totals.messages)), html`${htmlText(plural(totals.toolCalls, 'tool call'))}`],
    ...(misses.length === 0
      ? []
      : ([
          ['cache misses', htmlText(shortCount(misses.length)), html`${htmlText(shortCount(missed))} tokens`],
        ] as const)),
    ['problems', htmlText(shortCount(findings.length)), html`found by check`],
  ];
  const items = rows.map(
    ([title, value, note]) => html`<div><dt>${htmlText(title)}</dt><dd><b>${value}</b> <span>${note}</span></dd></div>`,
  );
  return html`<dl class="figures">${concat(items)}</dl>`;
}

function costOne({ cost, tokensSource }: ReportSession['shown']['facts']['totals']): HtmlText {
  return htmlText(costInRow(cost, tokensSource));
}

/** The title of a session, and what is known of it. */
export function sessionTitle({ shown, isOneOfMany }: ReportSession, page: Page): { title: HtmlText; about: HtmlText } {
  const { file, line, id, agent, project, format, model } = shown.facts;
  const title = (project ?? file).split(/[\\/]/).findLast((name) => name !== '') ?? file;
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
