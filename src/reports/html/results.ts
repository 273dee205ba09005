/** What the results of tools cost over their lives. */

import { toNumber } from '../../decimals.js';
import type { ReportSession } from '../../engine/report/sessions.js';
import { byCost, carriedByTool } from '../../engine/stats/carried-by-tool.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { costInRow, plural, shortCount, tokensText } from '../../text/words.js';
import { NOTHING, type SessionLook } from './page.js';
import { nameText, shareCell, tableOf } from './tables.js';
import { type Box, treemapOf } from './treemap.js';

const RESULTS_SHOWN = 10;

/** What the results of tools cost in all requests that sent them. */
export function resultsHtml({ carried, paid, shown }: ReportSession, { prefix, page }: SessionLook): HtmlText {
  if (carried.length === 0) return NOTHING;
  const source = shown.facts.totals.tokensSource;
  const tools = carriedByTool(carried, paid);
  const isPriced = carried.every(({ cost }) => cost !== undefined) && carried.some(({ cost }) => cost! > 0n);
  const boxes = carried.map(({ tool, index, tokens, requests, cost, carriedTokens }): Box => {
    const price = cost === undefined ? NOTHING : html`, ${htmlText(costInRow(cost, source))}`;
    return {
      group: tool || '(unknown)',
      size: isPriced ? toNumber(cost!) : carriedTokens + tokens,
      label: html`#${index}`,
      about: html`${htmlText(tokensText(tokens, source))} tokens in ${htmlText(plural(requests, 'request'))}${price}`,
      href: html`#${prefix}m${index}`,
    };
  });
  const table = tableOf(
    [
      { title: 'tool', isName: true, cell: ({ tool }) => nameText(page.plain(tool)) },
      { title: 'results', isNumber: true, isMinor: true, cell: ({ results }) => html`${results}` },
      { title: 'tokens', isNumber: true, cell: ({ tokens }) => htmlText(tokensText(tokens, source)) },
      {
        title: 'carried tokens',
        isNumber: true,
        isMinor: true,
        cell: ({ carriedTokens }) => htmlText(shortCount(carriedTokens)),
      },
      { title: 'cost', isNumber: true, cell: ({ cost }) => htmlText(costInRow(cost, source)) },
      { title: 'share', isNumber: true, cell: ({ share }) => shareCell(share) },
    ],
    tools,
    { caption: html`Results by tool` },
  );
  const most = [...carried].sort(byCost).slice(0, RESULTS_SHOWN);
  const expensive = tableOf(
    [
      { title: 'message', isName: true, cell: ({ index }) => html`<a href="#${prefix}m${index}">#${index}</a>` },
      { title: 'tool', isName: true, cell: ({ tool }) => nameText(page.plain(tool || '(unknown)')) },
      { title: 'tokens', isNumber: true, cell: ({ tokens }) => htmlText(tokensText(tokens, source)) },
      { title: 'requests', isNumber: true, isMinor: true, cell: ({ requests }) => html`${requests}` },
      { title: 'cost', isNumber: true, cell: ({ cost }) => htmlText(costInRow(cost, source)) },
    ],
    most,
    { caption: html`The most expensive results` },
  );
  return html`<p class="lead">Every later request sends a result again: a box is as large as what that cost in all.</p>
${treemapOf(boxes, html`${prefix}t`, page)}<div class="pair">${table}${expensive}</div>`;
}
