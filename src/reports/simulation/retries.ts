/** `simulate --retries`: what retries of a context cost, whole and stripped. */

import { printed } from '../../documents/print.js';
import { retriesDocument } from '../../documents/simulate.js';
import type { RetryFacts } from '../../measure/simulation/facts.js';
import { type Demand, perYear, type Retries } from '../../measure/simulation/retries.js';
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import { type Currency, formatMoney, rateLine } from '../../text/money.js';
import { changeText, grouped, plural } from '../../text/words.js';
import type { Report } from '../report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../rows.js';
import { paragraph } from './advice.js';
import { estimateMark, exactCost, fineCost } from './figures.js';
import { headingOf } from './text.js';

export const retriesReport: Report<RetryFacts> = {
  table({ transcripts, demand }, { style, currency }) {
    const sections = transcripts.map((transcript) => {
      const { tokensSource, attempts } = transcript.retries;
      const table = renderTable(columnsOf(tokensSource, currency), attempts, style);
      const year = demand === undefined ? safe`` : yearText(transcript.retries, demand, currency);
      return safe`${headingOf(transcript, style)}\n${sizeText(transcript.retries)}\n${table}${year}`;
    });
    return joined([...sections, ...rateLine(currency).map((line) => safe`${style.dim(line)}\n`)], '\n');
  },
  csv({ transcripts }, { currency }) {
    const rows = transcripts.flatMap(({ file, line, retries }) =>
      retries.attempts.map((attempt): CsvRow => ({ ...attempt, transcript: `${file}:${line}` })),
    );
    const origin: Column<CsvRow> = { title: 'transcript', text: ({ transcript }) => transcript };
    return renderCsv([origin, ...columnsOf('exact', currency)], rows);
  },
  markdown({ transcripts }, { currency }) {
    const tables: SafeText[] = transcripts.map(({ retries: { tokensSource, attempts } }) =>
      renderMarkdown(columnsOf(tokensSource, currency), attempts),
    );
    return joined([...tables, ...rateLine(currency).map((line) => safe`${line}\n`)], '\n');
  },
  json: (facts) => printed(retriesDocument(facts)),
};

type AttemptRow = Retries['attempts'][number];
type CsvRow = AttemptRow & { readonly transcript: string };

function columnsOf(source: Retries['tokensSource'], currency: Currency): readonly Column<AttemptRow>[] {
  const mark = estimateMark(source);
  return [
    { title: 'retries', align: 'right', text: ({ retries }) => String(retries) },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => safe`${mark}${grouped(tokens)}`,
      value: ({ tokens }) => tokens,
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ cost }) => fineCost(cost, currency, 1),
      value: ({ cost }) => exactCost(cost),
    },
    {
      title: 'stripped tokens',
      align: 'right',
      text: ({ strippedTokens }) => safe`${mark}${grouped(strippedTokens)}`,
      value: ({ strippedTokens }) => strippedTokens,
    },
    {
      title: 'stripped cost',
      align: 'right',
      text: ({ strippedCost }) => fineCost(strippedCost, currency, 1),
      value: ({ strippedCost }) => exactCost(strippedCost),
    },
  ];
}

function sizeText({ tokens, stripped, tokensSource }: Retries): SafeText {
  const mark = estimateMark(tokensSource);
  const change = changeText(tokens, stripped);
  return safe`a context of ${mark}${plural(tokens, 'token')}, stripped ${mark}${grouped(stripped)}${change}`;
}

function yearText({ attempts }: Retries, demand: Demand, currency: Currency): SafeText {
  const { retries, cost, strippedCost } = attempts.at(-1)!;
  const [whole, stripped] = [perYear(cost, demand), perYear(strippedCost, demand)];
  const questions = `${plural(demand.questions, 'question')} a day`;
  const subtasks = `${plural(demand.subtasks, 'subtask')} each, ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  const demandText = `${plural(demand.users, 'user')}, ${questions}, ${subtasks}`;
  if (whole === undefined || stripped === undefined) return safe`a year (${shown(demandText)}): unpriced\n`;
  const saved = formatMoney(whole - stripped, currency);
  const costs = `${formatMoney(whole, currency)}, stripped ${formatMoney(stripped, currency)}: ${saved} less`;
  return safe`${joined(paragraph(`a year (${demandText}): ${costs}`), '\n')}\n`;
}
