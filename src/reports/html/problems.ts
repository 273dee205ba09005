/** What `check` finds in a session. */
import type { ReportSession } from '../../engine/report/sessions.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { plural } from '../../text/words.js';
import { lines, NOTHING, type SessionLook } from './page.js';

const PROBLEMS_SHOWN = 100;

/** What check finds. */
export function problemsHtml({ findings, shown }: ReportSession, { prefix, page }: SessionLook): HtmlText {
  if (findings.length === 0) return NOTHING;
  const known = new Set(shown.messages.map(({ index }) => index));
  const items = findings.slice(0, PROBLEMS_SHOWN).map(({ severity, message, rule, index }) => {
    const at = index === undefined || !known.has(index) ? NOTHING : html` <a href="#${prefix}m${index}">#${index}</a>`;
    const kind = htmlText(severity);
    const text = html`${page.text(message)} <code>${htmlText(rule)}</code>`;
    return html`<li class="note ${kind}"><b>${kind}</b>${at} ${text}</li>`;
  });
  const rest = findings.length - items.length;
  const more = rest > 0 ? html`<p class="hint">… and ${htmlText(plural(rest, 'more problem'))}</p>` : NOTHING;
  return html`<p class="lead">What <code>ctx-trim check</code> finds; with <code>--fix</code> it repairs most.</p>
<ul class="problems">${lines(items)}</ul>${more}`;
}
