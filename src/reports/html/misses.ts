/** What the prompt cache missed in a session, and why. */
import type { ReportSession } from '../../engine/report/sessions.js';
import { byCost } from '../../measure/stats/cache-figures.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, paidText, plural, shortCount } from '../../text/words.js';
import { CAUSES } from '../cache-causes.js';
import { inlineHtml } from './inline.js';
import { lines, NOTHING, type SessionLook } from './page.js';
import { tableOf } from './tables.js';
import { timeOf } from './times.js';

/** What the prompt cache missed, and why. */
export function missesHtml({ misses, paid }: ReportSession, { prefix, page }: SessionLook): HtmlText {
  if (misses.length === 0) return NOTHING;
  const missed = misses.reduce((sum, miss) => sum + miss.missed, 0);
  const cost = misses.reduce<bigint | undefined>(
    (sum, miss) => (sum === undefined || miss.cost === undefined ? undefined : sum + miss.cost),
    0n,
  );
  const price =
    cost === undefined
      ? NOTHING
      : html`, which cost ${htmlText(costInRow(cost, 'exact'))} of ${htmlText(paidText(paid))}`;
  const table = tableOf(
    [
      { title: 'message', isName: true, cell: ({ index }) => html`<a href="#${prefix}m${index}">#${index}</a>` },
      { title: 'time', isMinor: true, cell: ({ time }) => (time === undefined ? NOTHING : timeOf(time)) },
      { title: 'cause', cell: ({ cause }) => htmlText(CAUSES[cause].title) },
      {
        title: 'idle',
        isNumber: true,
        isMinor: true,
        cell: ({ idle }) => (idle === undefined ? NOTHING : html`${Math.round(idle)} s`),
      },
      { title: 'missed tokens', isNumber: true, cell: (miss) => htmlText(shortCount(miss.missed)) },
      { title: 'cost', isNumber: true, cell: (miss) => htmlText(costInRow(miss.cost, 'exact')) },
    ],
    [...misses].sort(byCost).slice(0, MISSES_SHOWN),
    { caption: html`The most expensive cache misses` },
  );
  const of = html`${misses.length} of ${htmlText(plural(paid.requests, 'request'))}`;
  const lead = html`${of} did not read ${htmlText(plural(missed, 'cached token'))}${price}.`;
  const causes = [...new Set([...misses].sort(byCost).map(({ cause }) => cause))];
  const advice = causes.flatMap((cause) => {
    const { title, advice: what } = CAUSES[cause];
    return what === undefined ? [] : [html`<li><b>${htmlText(title)}</b>: ${inlineHtml(what, page)}</li>`];
  });
  return html`<p class="lead">${lead}</p><ul class="lead">${lines(advice)}</ul>${table}`;
}

const MISSES_SHOWN = 20;
