/** What policies would have changed: the cost without and with each, and whether to use it. */
import type { ReportFacts } from '../../engine/report/report.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { percent, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { adviceOf } from '../simulation/advice.js';
import { costChange, fineCost, keptText } from '../simulation/figures.js';
import { concat, NOTHING, type Page } from './page.js';
import { tableOf } from './tables.js';

/** Nothing without a policy. */
export function policiesHtml({ policies, without }: Pick<ReportFacts, 'policies' | 'without'>, page: Page): HtmlText {
  if (policies.length === 0) return NOTHING;
  const rows = [without, ...policies];
  const baseline = without.totals.without;
  const table = tableOf<SimulationFacts>(
    [
      { title: 'policy', cell: ({ policy }) => (policy === '' ? html`none` : html`<code>${page.text(policy)}</code>`) },
      { title: 'cost', isNumber: true, cell: ({ totals }) => htmlText(fineCost(totals.with.cost)) },
      {
        title: 'change',
        isNumber: true,
        cell: ({ policy, totals }) =>
          policy === '' || baseline.cost === undefined || totals.with.cost === undefined
            ? NOTHING
            : htmlText(costChange(baseline.cost, totals.with.cost)),
      },
      {
        title: 'input tokens',
        isNumber: true,
        cell: ({ totals }) => htmlText(shortCount(promptTokens(totals.with.usage))),
      },
      {
        title: 'from cache',
        isNumber: true,
        cell: ({ totals: { with: sent } }) => {
          const prompt = promptTokens(sent.usage);
          return htmlText(percent(prompt === 0 ? 0 : sent.usage.cacheRead / prompt));
        },
      },
      { title: 'results kept', isNumber: true, cell: ({ totals }) => htmlText(keptText(totals)) },
    ],
    rows,
    { caption: html`The replay without a policy, and with each` },
  );
  const advice = policies.map((facts, index) => {
    const name = html`<code class="k-p${colorOf(index + 1)}">${page.text(facts.policy)}</code>`;
    return html`<p class="advice ${htmlText(facts.verdict.kind)}">${name} ${htmlText(adviceOf(facts))}</p>`;
  });
  return html`${concat(advice)}${table}`;
}

/** Colors of policies repeat after so many. */
const COLORS = 4;

/** The number of the color of a policy; policies count from 1. */
export function colorOf(policy: number): number {
  return ((policy - 1) % COLORS) + 1;
}
