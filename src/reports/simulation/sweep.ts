/** `simulate --sweep`: policies compared over the same recordings. */

import { printed } from '../../documents/print.js';
import { sweepDocument } from '../../documents/simulate.js';
import type { SweepFacts } from '../../measure/simulation/facts.js';
import { type Outcome, tokensSent } from '../../measure/simulation/sweep.js';
import { safe } from '../../safe/text.js';
import { type Currency, rateLine } from '../../text/money.js';
import { shortCount } from '../../text/words.js';
import type { Report } from '../report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../rows.js';
import { basisLines, lines, paragraph, sweepAdvice } from './advice.js';
import { costChange, exactCost, fineCost, keptShare, keptText } from './figures.js';

export const sweepReport: Report<SweepFacts> = {
  table(facts, { style, currency }) {
    const columns = [...figureColumns(currency), ...remarkColumns(facts)];
    const closing = lines([
      ...paragraph(sweepAdvice(facts, currency)),
      ...[...basisLines(facts), ...rateLine(currency)].map(style.dim),
    ]);
    return safe`${renderTable(columns, rowsOf(facts), style)}\n${closing}`;
  },
  csv(facts, { currency }) {
    const frontier: Column<Outcome> = { title: 'frontier', text: ({ isFrontier }) => String(isFrontier) };
    return renderCsv([...figureColumns(currency), frontier], rowsOf(facts));
  },
  markdown: (facts, { currency }) =>
    renderMarkdown([...figureColumns(currency), ...remarkColumns(facts)], rowsOf(facts)),
  json: (facts) => printed(sweepDocument(facts, sweepAdvice(facts))),
};

function rowsOf({ outcomes, hindsight }: SweepFacts): readonly Outcome[] {
  return [...outcomes, ...hindsight];
}

function figureColumns(currency: Currency): readonly Column<Outcome>[] {
  return [
    { title: 'policy', width: 34, text: ({ label }) => label },
    {
      title: 'results\nkept',
      key: 'kept',
      align: 'right',
      text: ({ totals }) => keptText(totals),
      value: ({ totals }) => keptShare(totals),
    },
    {
      title: 'input',
      key: 'sent',
      align: 'right',
      text: ({ totals }) => shortCount(tokensSent(totals)),
      value: ({ totals }) => tokensSent(totals),
    },
    {
      title: 'cache\nlost',
      key: 'again',
      align: 'right',
      text: ({ totals }) => shortCount(totals.paidAgain),
      value: ({ totals }) => totals.paidAgain,
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ totals }) => fineCost(totals.with.cost, currency),
      value: ({ totals }) => exactCost(totals.with.cost),
    },
  ];
}

function remarkColumns({ outcomes, hindsight, cheapest, recommended }: SweepFacts): readonly Column<Outcome>[] {
  const unchanged = outcomes[0]!.totals.with.cost;
  return [
    {
      title: 'change',
      align: 'right',
      text: ({ totals: { with: sent } }) =>
        sent.cost === undefined || unchanged === undefined ? '' : costChange(unchanged, sent.cost),
    },
    {
      title: '',
      text: (outcome) =>
        [
          ...(outcome.isFrontier && outcome !== cheapest ? ['pareto'] : []),
          ...(outcome === cheapest ? ['cheapest'] : []),
          ...(outcome === recommended ? ['use this'] : []),
          ...(hindsight.includes(outcome) ? ['hindsight'] : []),
        ].join(', '),
    },
  ];
}
