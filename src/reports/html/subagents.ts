/** The sub-agents of a session: what each cost, and its transcript. */
import type { ReportSession, WholeSession } from '../../engine/report/sessions.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { paidText, plural } from '../../text/words.js';
import { concat, lines, NOTHING, type SessionLook } from './page.js';
import { sessionParts, sessionTitle } from './session.js';

interface Look extends SessionLook {
  /** Of the headings in each. */
  readonly level: 3 | 4;
}

/** Nothing without sub-agents. The most expensive first. */
export function subagentsHtml({ main, subagents }: WholeSession, look: Look): HtmlText {
  if (subagents.length === 0) return NOTHING;
  const sorted = [...subagents].sort(
    (a, b) => Number(b.paid.knownCost - a.paid.knownCost) || b.paid.total - a.paid.total,
  );
  const own = html`The session without them cost ${htmlText(paidText(main.paid))}; the charts above are without them.`;
  const parts = sorted.map((session, index) => subagentHtml(session, html`${look.prefix}a${index + 1}`, look));
  return html`<p class="lead">${own}</p>${lines(parts)}`;
}

function subagentHtml(session: ReportSession, id: HtmlText, { page, level }: Look): HtmlText {
  const { title, about } = sessionTitle(session, page);
  const { paid, findings, shown } = session;
  const figures = [
    paidText(paid),
    plural(paid.requests, 'request'),
    plural(shown.facts.totals.messages, 'message'),
    ...(findings.length === 0 ? [] : [plural(findings.length, 'problem')]),
  ];
  const figs = html`<span class="figs">${concat(figures.map((figure) => html`<i>${htmlText(figure)}</i>`))}</span>`;
  const parts = sessionParts(session, { prefix: html`${id}-`, page }).map(
    ({ id: at, title: name, body }) => html`<section class="part" id="${at}"><h${level}>${htmlText(name)}</h${level}>
${body}</section>`,
  );
  return html`<details class="agent" id="${id}"><summary><b>${title}</b> ${figs}</summary><p class="about">${about}</p>
${lines(parts)}</details>`;
}
