/** `simulate --by run`: what is left of the history in each run, a user message with all that follows it. */

import type { SimulatedTranscript, SimulationFacts } from '../../measure/simulation/facts.js';
import { type SimulatedRequest, sumSides } from '../../measure/simulation/simulate.js';
import { joined, safe } from '../../safe/text.js';
import type { Currency } from '../../text/money.js';
import { grouped, shortCount } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Report } from '../report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from '../rows.js';
import { exactCost, fineCost } from './figures.js';
import { simulationJson } from './json.js';
import { closingText, headingOf } from './text.js';

export const runsReport: Report<SimulationFacts> = {
  table(facts, { style, currency }) {
    const sections = facts.transcripts.map(
      (transcript) =>
        safe`${headingOf(transcript, style)}\n${renderTable(columnsOf(currency), runsOf(transcript), style)}`,
    );
    return safe`${joined(sections, '\n')}\n${closingText(facts, style, currency)}`;
  },
  csv({ transcripts }, { currency }) {
    const file: Column<Run> = { title: 'file', text: ({ origin }) => origin.file };
    const line: Column<Run> = { title: 'line', text: ({ origin }) => String(origin.line) };
    return renderCsv([file, line, ...columnsOf(currency)], transcripts.flatMap(runsOf));
  },
  markdown({ transcripts }, { currency }) {
    return joined(
      transcripts.map((transcript) => renderMarkdown(columnsOf(currency), runsOf(transcript))),
      '\n',
    );
  },
  json: simulationJson,
};

/** The requests that answer one user message. */
interface Run {
  readonly origin: SimulatedTranscript;
  readonly number: number;
  readonly requests: readonly SimulatedRequest[];
  readonly first: SimulatedRequest;
  readonly last: SimulatedRequest;
  /** Calls before the run, and those of them that its first request still sends. */
  readonly history: number;
  readonly kept: number;
}

function runsOf(origin: SimulatedTranscript): Run[] {
  const byRun = new Map<number, SimulatedRequest[]>();
  for (const request of origin.simulation.requests)
    byRun.set(request.run, [...(byRun.get(request.run) ?? []), request]);
  return [...byRun.values()].map((requests, index): Run => {
    const first = requests[0]!;
    const history = first.callsInHistory;
    const kept = Math.max(0, first.callsAfter - (first.callsBefore - history));
    return { origin, number: index + 1, requests, first, last: requests.at(-1)!, history, kept };
  });
}

function columnsOf(currency: Currency): readonly Column<Run>[] {
  const count = (title: string, key: string, of: (run: Run) => number): Column<Run> => ({
    title,
    key,
    align: 'right',
    text: (run) => grouped(of(run)),
    value: of,
  });
  const cost = (title: string, key: string, side: 'without' | 'with'): Column<Run> => {
    const of = ({ requests }: Run) => sumSides(requests.map((request) => request[side])).cost;
    return {
      title,
      key,
      align: 'right',
      text: (run) => fineCost(of(run), currency),
      value: (run) => exactCost(of(run)),
    };
  };
  const sent = ({ requests }: Run) => promptTokens(sumSides(requests.map((request) => request.with)).usage);
  return [
    count('run', 'run', ({ number }) => number),
    count('message', 'message', ({ first }) => first.run),
    count('requests', 'requests', ({ requests }) => requests.length),
    count('calls in\nhistory', 'history', ({ history }) => history),
    count('kept', 'kept', ({ kept }) => kept),
    count('dropped', 'dropped', ({ history, kept }) => history - kept),
    count('calls\nsent', 'sent', ({ last }) => last.callsAfter),
    { title: 'input', key: 'input', align: 'right', text: (run) => shortCount(sent(run)), value: sent },
    cost('cost\nwithout', 'cost', 'without'),
    cost('cost\nwith', 'with', 'with'),
  ];
}
