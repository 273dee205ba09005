/** `simulate --by transcript`: what each transcript costs without the policy and with it. */

import type { SimulatedTranscript, SimulationFacts } from '../../measure/simulation/facts.js';
import { tokensSent } from '../../measure/simulation/sweep.js';
import { safe } from '../../safe/text.js';
import type { Currency } from '../../text/money.js';
import { grouped, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Report } from '../report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../rows.js';
import { exactCost, fineCost, keptShare, keptText } from './figures.js';
import { simulationJson } from './json.js';
import { closingText } from './text.js';

export const transcriptsReport: Report<SimulationFacts> = {
  table(facts, { style, currency }) {
    const table = renderTable(columnsOf(currency), facts.transcripts, style);
    return safe`${table}\n${closingText(facts, style, currency)}`;
  },
  csv: ({ transcripts }, { currency }) => renderCsv(columnsOf(currency), transcripts),
  markdown: ({ transcripts }, { currency }) => renderMarkdown(columnsOf(currency), transcripts),
  json: simulationJson,
};

function columnsOf(currency: Currency): readonly Column<SimulatedTranscript>[] {
  return [
    { title: 'transcript', width: 28, keeps: 'end', text: ({ file, line }) => `${file}:${line}` },
    {
      title: 'requests',
      align: 'right',
      text: ({ simulation }) => grouped(simulation.totals.requests),
      value: ({ simulation }) => simulation.totals.requests,
    },
    {
      title: 'results\nkept',
      key: 'kept',
      align: 'right',
      text: ({ simulation }) => keptText(simulation.totals),
      value: ({ simulation }) => keptShare(simulation.totals),
    },
    {
      title: 'input\nbefore',
      key: 'sent_before',
      align: 'right',
      text: ({ simulation }) => shortCount(promptTokens(simulation.totals.without.usage)),
      value: ({ simulation }) => promptTokens(simulation.totals.without.usage),
    },
    {
      title: 'input\nafter',
      key: 'after',
      align: 'right',
      text: ({ simulation }) => shortCount(tokensSent(simulation.totals)),
      value: ({ simulation }) => tokensSent(simulation.totals),
    },
    {
      title: 'cost\nwithout',
      key: 'cost',
      align: 'right',
      text: ({ simulation }) => fineCost(simulation.totals.without.cost, currency),
      value: ({ simulation }) => exactCost(simulation.totals.without.cost),
    },
    {
      title: 'cost\nwith',
      key: 'with',
      align: 'right',
      text: ({ simulation }) => fineCost(simulation.totals.with.cost, currency),
      value: ({ simulation }) => exactCost(simulation.totals.with.cost),
    },
  ];
}
