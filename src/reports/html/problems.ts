/** What `check` finds in a session. */
import type { ReportSession } from '../../app/report/report.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { plural } from '../../text/words.js';
import { lines, NOTHING } from './page.js';
import type { SessionLook } from './session.js';

const PROBLEMS_SHOWN = 100;

/** What check finds. */
export function problemsHtml({ findings, shown }: ReportSession, { prefix, page }: SessionLook): HtmlText {
  if (findings.length === 0) return NOTHING;
  const known = new Set(shown.messages.map(({ index }) => index));
  const items = findings.slice(0, PROBLEMS_SHOWN).map(({ severity, message, rule, index }) => {
    const at = index === undefined || !known.has(index) ? NOTHING : html` <a href="#${prefix}m${index}">#${index}</a>`;
    return html`<li class="note ${htmlText(severity)}"><b>${htmlText(severity)}</b>${at} ${page.text(message)} <code>${htmlText(rule)}</code></li>`;
  });
  const rest = findings.length - items.length;
  const more = rest > 0 ? html`<p class="hint">… and ${htmlText(plural(rest, 'more problem'))}</p>` : NOTHING;
  return html`<p class="lead">A provider would refuse or ignore these; <code>ctx-trim check --fix</code> repairs most.</p><ul class="problems">${lines(items)}</ul>${more}`;
}
