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
  const advice = policies.map((facts, index) => {
    const name = html`<code class="k-p${colorOf(index + 1)}">${page.text(facts.policy)}</code>`;
    const number = policies.length === 1 ? NOTHING : html`<b>policy ${index + 1}</b> `;
    const text = htmlText(adviceOf(facts).replaceAll(' %', '\u00a0%'));
    return html`<p class="advice ${htmlText(facts.verdict.kind)}">${number}${name} ${text}</p>`;
  });
  return html`<div class="pair">${concat(advice)}</div>${sideBySide([without, ...policies])}`;
}

interface Row {
  readonly title: string;
  text(facts: SimulationFacts): string;
}

/** A column for each: the first is without a policy. */
function sideBySide(sides: readonly [SimulationFacts, ...SimulationFacts[]]): HtmlText {
  const baseline = sides[0].totals.without;
  const rows: readonly Row[] = [
    { title: 'cost', text: ({ totals }) => fineCost(totals.with.cost) },
    {
      title: 'change',
      text: ({ policy, totals }) =>
        policy === '' || baseline.cost === undefined || totals.with.cost === undefined
          ? NOTHING
          : costChange(baseline.cost, totals.with.cost),
    },
    { title: 'input tokens', text: ({ totals }) => shortCount(promptTokens(totals.with.usage)) },
    { title: 'output tokens', text: ({ totals }) => shortCount(totals.with.usage.output) },
    {
      title: 'from cache',
      text: ({ totals: { with: sent } }) => {
        const prompt = promptTokens(sent.usage);
        return percent(prompt === 0 ? 0 : sent.usage.cacheRead / prompt);
      },
    },
    { title: 'results kept', text: ({ totals }) => keptText(totals) },
  ];
  const columns = sides.map((facts, index) => ({
    title: index === 0 ? 'no policy' : sides.length === 2 ? 'the policy' : `policy ${index}`,
    isNumber: true,
    cell: ({ text }: Row) => htmlText(text(facts)),
  }));
  return tableOf<Row>([{ title: 'of all requests', cell: ({ title }) => htmlText(title) }, ...columns], rows, {
    caption: html`The replay without a policy, and with each`,
  });
}

/** Colors of policies repeat after so many. */
const COLORS = 4;

/** The number of the color of a policy; policies count from 1. */
export function colorOf(policy: number): number {
  return ((policy - 1) % COLORS) + 1;
}
