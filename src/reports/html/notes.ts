/** What the figures of a report are based on. */
import type { ReportFacts } from '../../engine/report/report.js';
import { snapshotText } from '../../measure/pricing/rates.js';
import { NOTHING_OMITTED } from '../../omissions.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { omissionTexts } from '../omissions.js';
import { basisLines } from '../simulation/advice.js';
import { concat, NOTHING } from './page.js';
import { localZone } from './times.js';

export function closingNotes({ stats, without, omissions }: ReportFacts, isRedacted: boolean): HtmlText {
  const { priceList, totals, unpriced } = stats;
  const missing = omissionTexts(omissions ?? NOTHING_OMITTED).map((text) => html`<b>${htmlText(text)}</b>`);
  const notes = [
    ...missing,
    isRedacted
      ? html`Secrets are replaced with marks such as [secret:github-token:1]. Read the page before you pass it on.`
      : html`Secrets are not redacted.`,
    totals.tokensSource === 'estimated'
      ? html`Tokens with ~ are estimates: the tokenizer of the model is not public.`
      : NOTHING,
    priceList === undefined ? NOTHING : html`Prices: ${htmlText(snapshotText(priceList))}.`,
    unpriced.size === 0 ? NOTHING : html`No price is known of ${unpriced.size} of the models.`,
    ...basisLines(without).map((line) => htmlText(line)),
    html`Times are in the zone ${htmlText(localZone())}.`,
  ];
  return concat(notes.filter((note) => note !== NOTHING).map((note) => html`<p>${note}</p>`));
}
