/** The large figures at the top of a page or session. */

import type { RequestSum } from '../../measure/stats/request-sum.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { paidText, percent, plural, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { concat, NOTHING } from './page.js';

export interface Figure {
  readonly title: string;
  readonly value: HtmlText;
  readonly note: HtmlText;
}

export function figureList(figures: readonly Figure[]): HtmlText {
  const items = figures.map(
    ({ title, value, note }) =>
      html`<div><dt>${htmlText(title)}</dt><dd><b>${value}</b> <span>${note}</span></dd></div>`,
  );
  return html`<dl class="figures">${concat(items)}</dl>`;
}

/** Cost and tokens of requests. Those that no recording states were counted, as if there were no cache. */
export function paidFigures(paid: RequestSum): Figure[] {
  const { usage, requests, isRecorded } = paid;
  const prompt = promptTokens(usage);
  const cached = html`${htmlText(percent(prompt === 0 ? 0 : usage.cacheRead / prompt))} from cache`;
  const reasoning = usage.reasoning > 0 ? html`${htmlText(shortCount(usage.reasoning))} reasoning` : NOTHING;
  const count = htmlText(plural(requests, 'request'));
  const partly = paid.tokensSource === 'recorded' ? NOTHING : html`, partly counted`;
  return [
    {
      title: 'cost',
      value: htmlText(paidText(paid)),
      note: isRecorded ? html`${count}${partly}` : html`${count}, without a cache`,
    },
    {
      title: 'input tokens',
      value: htmlText(shortCount(prompt)),
      note: isRecorded ? html`${cached}${partly}` : html`not recorded: counted`,
    },
    { title: 'output tokens', value: htmlText(shortCount(usage.output)), note: reasoning },
  ];
}

export function missFigure(misses: number, note: HtmlText): Figure {
  return { title: 'cache misses', value: htmlText(shortCount(misses)), note };
}

export function problemFigure(problems: number): Figure {
  return { title: 'problems', value: htmlText(shortCount(problems)), note: html`found by check` };
}
