/** `simulate --by request`: each request without the policy and with it. */

import { greatest } from '../../lists.js';
import type { SimulationFacts, TranscriptOrigin } from '../../measure/simulation/facts.js';
import type { Side, SimulatedRequest, Simulation } from '../../measure/simulation/simulate.js';
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import type { Currency } from '../../text/money.js';
import { shortCount, sparkline } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Report } from '../report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../rows.js';
import { cacheWriteOf, estimateMark, exactCost, fineCost } from './figures.js';
import { simulationJson } from './json.js';
import { closingText, headingOf } from './text.js';

export const requestsReport: Report<SimulationFacts> = {
  table(facts, { style, currency }) {
    const sections = facts.transcripts.map((transcript) => {
      const { requests } = transcript.simulation;
      const table = renderTable(requestColumns(currency), requests, style);
      return safe`${headingOf(transcript, style)}\n${table}${chartOf(transcript.simulation)}`;
    });
    return safe`${joined(sections, '\n')}\n${closingText(facts, style, currency)}`;
  },
  csv({ transcripts }) {
    const rows = transcripts.flatMap((origin) =>
      origin.simulation.requests.map((request): CsvRow => ({ origin, request })),
    );
    return renderCsv(csvColumns(), rows);
  },
  markdown({ transcripts }, { currency }) {
    const columns = requestColumns(currency);
    const tables = transcripts.map(({ simulation }) => renderMarkdown(columns, simulation.requests));
    return joined(tables, '\n');
  },
  json: simulationJson,
};

function requestColumns(currency: Currency): readonly Column<SimulatedRequest>[] {
  const input = ({ usage }: Side) => shortCount(promptTokens(usage));
  const right = (title: string, text: (request: SimulatedRequest) => string): Column<SimulatedRequest> => ({
    title,
    align: 'right',
    text,
  });
  return [
    right('#', ({ index }) => String(index)),
    right('calls', ({ callsBefore, callsAfter }) =>
      callsBefore === callsAfter ? String(callsAfter) : `${callsBefore}→${callsAfter}`,
    ),
    right('input\nbefore', ({ without }) => input(without)),
    right('input\nafter', ({ with: side }) => input(side)),
    right('cache\nread', ({ with: { usage } }) => shortCount(usage.cacheRead)),
    right('cache\nwrite', ({ with: { usage } }) => shortCount(cacheWriteOf(usage))),
    right('cost\nwithout', ({ without }) => fineCost(without.cost, currency)),
    right('cost\nwith', ({ with: side }) => fineCost(side.cost, currency)),
    right('first\nchange', ({ firstChanged }) => (firstChanged === undefined ? '' : String(firstChanged))),
    right('cache\nlost', ({ paidAgain }) => (paidAgain === 0 ? '' : shortCount(paidAgain))),
  ];
}

interface CsvRow {
  readonly origin: TranscriptOrigin;
  readonly request: SimulatedRequest;
}

function csvColumns(): readonly Column<CsvRow>[] {
  const column = (title: string, of: (row: CsvRow) => string | number | undefined): Column<CsvRow> => ({
    title,
    text: (row) => String(of(row) ?? ''),
  });
  const side = (name: 'without' | 'with') => [
    column(`${name}_input`, ({ request }) => request[name].usage.input),
    column(`${name}_cache_read`, ({ request }) => request[name].usage.cacheRead),
    column(`${name}_cache_write`, ({ request }) => cacheWriteOf(request[name].usage)),
    column(`${name}_output`, ({ request }) => request[name].usage.output),
    column(`${name}_cost_usd`, ({ request }) => exactCost(request[name].cost)),
  ];
  return [
    column('file', ({ origin }) => origin.file),
    column('line', ({ origin }) => origin.line),
    column('index', ({ request }) => request.index),
    column('message', ({ request }) => request.message),
    column('calls_in_history', ({ request }) => request.callsInHistory),
    column('calls_before', ({ request }) => request.callsBefore),
    column('calls_after', ({ request }) => request.callsAfter),
    column('first_changed', ({ request }) => request.firstChanged),
    column('paid_again', ({ request }) => request.paidAgain),
    ...side('without'),
    ...side('with'),
  ];
}

/** Columns of a terminal that a chart fills. */
const CHART = 50;

/** How the context grows, before and after on one scale. */
function chartOf({ requests, tokensSource }: Simulation): SafeText {
  if (requests.length < 2) return safe``;
  const before = requests.map(({ without }) => promptTokens(without.usage));
  const after = requests.map(({ with: side }) => promptTokens(side.usage));
  const scale = greatest(before, greatest(after, 1));
  const line = (title: string, figures: readonly number[]) => {
    const peak = safe`${estimateMark(tokensSource)}${shortCount(greatest(figures, 0))} peak`;
    return safe`${shown(title.padEnd(8))} ${sparkline(figures, CHART, scale)}  ${peak}\n`;
  };
  return safe`${line('before', before)}${line('after', after)}`;
}
