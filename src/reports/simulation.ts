/** `simulate`: what requests cost without a policy and with it, as tables, CSV and markdown, and what to do about it in a sentence. */

import type { Picodollars } from '../decimals.js';
import { addAll, greatest } from '../lists.js';
import { joined, pieces, type SafeText, safe, shown } from '../safe/text.js';
import type { RetryFacts, Simulated, SimulationBasis, SimulationFacts, SweepFacts } from '../simulation/facts.js';
import { type Demand, perYear, type Retries } from '../simulation/retries.js';
import type { Prediction, Side, SimulatedRequest, Simulation, Totals } from '../simulation/simulate.js';
import { type Outcome, tokensSent } from '../simulation/sweep.js';
import { type Currency, formatMoney, rateLine, significantDigits, USD } from '../text/money.js';
import { changeText, fittedEnd, grouped, percent, plural, shortCount, sparkline } from '../text/words.js';
import { promptTokens } from '../transcript/usage.js';
import { decimalOf } from './json.js';
import type { Style } from './report.js';
import { type Column, renderCsv, renderMarkdown, renderTable } from './rows.js';

export interface Look {
  readonly style: Style;
  readonly currency: Currency;
  readonly format: 'table' | 'csv' | 'markdown';
}

// --- request by request

export function requestsReport(facts: SimulationFacts, { style, currency, format }: Look): SafeText {
  const rows = facts.transcripts.flatMap((of) => of.simulation.requests.map((request) => ({ of, request })));
  if (format === 'csv') return renderCsv(csvColumns(), rows);
  const columns = requestColumns(currency);
  if (format === 'markdown')
    return joined(
      facts.transcripts.map(({ simulation }) => renderMarkdown(columns, simulation.requests)),
      '\n',
    );
  const sections = facts.transcripts.map(
    (of) =>
      safe`${headingOf(of, style)}\n${renderTable(columns, of.simulation.requests, style)}${chartOf(of.simulation)}`,
  );
  return safe`${joined(sections, '\n')}\n${closingText(facts, style, currency)}`;
}

function requestColumns(currency: Currency): readonly Column<SimulatedRequest>[] {
  const sent = ({ usage }: Side) => shortCount(promptTokens(usage));
  return [
    { title: '#', align: 'right', text: ({ index }) => String(index) },
    {
      title: 'calls',
      align: 'right',
      text: ({ callsBefore, callsAfter }) =>
        callsBefore === callsAfter ? String(callsAfter) : `${callsBefore}→${callsAfter}`,
    },
    { title: 'before', align: 'right', text: ({ without }) => sent(without) },
    { title: 'after', align: 'right', text: ({ with: side }) => sent(side) },
    { title: 'read', align: 'right', text: ({ with: { usage } }) => shortCount(usage.cacheRead) },
    { title: 'stored', align: 'right', text: ({ with: { usage } }) => shortCount(writtenOf(usage)) },
    { title: 'without', align: 'right', text: ({ without }) => fine(without.cost, currency) },
    { title: 'with', align: 'right', text: ({ with: side }) => fine(side.cost, currency) },
    {
      title: 'cut at',
      align: 'right',
      text: ({ firstChanged }) => (firstChanged === undefined ? '' : String(firstChanged)),
    },
    { title: 'again', align: 'right', text: ({ paidAgain }) => (paidAgain === 0 ? '' : shortCount(paidAgain)) },
  ];
}

type CsvRow = { readonly of: Simulated; readonly request: SimulatedRequest };

function csvColumns(): readonly Column<CsvRow>[] {
  const column = (title: string, of: (row: CsvRow) => string | number | undefined): Column<CsvRow> => ({
    title,
    text: (row) => String(of(row) ?? ''),
  });
  const side = (name: 'without' | 'with') => [
    column(`${name}_input`, ({ request }) => request[name].usage.input),
    column(`${name}_cache_read`, ({ request }) => request[name].usage.cacheRead),
    column(`${name}_cache_write`, ({ request }) => writtenOf(request[name].usage)),
    column(`${name}_output`, ({ request }) => request[name].usage.output),
    column(`${name}_cost_usd`, ({ request }) => exact(request[name].cost)),
  ];
  return [
    column('file', ({ of }) => of.file),
    column('line', ({ of }) => of.line),
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

const CHART = 50;

/** How the context grows, both sides on one scale. */
function chartOf({ requests, tokensSource }: Simulation): SafeText {
  const before = requests.map(({ without }) => promptTokens(without.usage));
  const after = requests.map(({ with: side }) => promptTokens(side.usage));
  const most = greatest(before, greatest(after, 1));
  const line = (title: string, figures: readonly number[]) =>
    safe`${shown(title.padEnd(8))} ${sparkline(figures, CHART, most)}  ${mark(tokensSource)}${shortCount(greatest(figures, 0))} at most\n`;
  return requests.length < 2 ? safe`` : safe`${line('before', before)}${line('after', after)}`;
}

// --- transcript by transcript

export function transcriptsReport(facts: SimulationFacts, { style, currency, format }: Look): SafeText {
  const columns: readonly Column<SimulationFacts['transcripts'][number]>[] = [
    { title: 'transcript', width: 28, keeps: 'end', text: ({ file, line }) => `${file}:${line}` },
    {
      title: 'requests',
      align: 'right',
      text: ({ simulation }) => grouped(simulation.totals.requests),
      value: ({ simulation }) => simulation.totals.requests,
    },
    {
      title: 'kept',
      align: 'right',
      text: ({ simulation }) => keptText(simulation.totals),
      value: ({ simulation }) => keptShare(simulation.totals),
    },
    {
      title: 'sent before',
      align: 'right',
      text: ({ simulation }) => shortCount(promptTokens(simulation.totals.without.usage)),
      value: ({ simulation }) => promptTokens(simulation.totals.without.usage),
    },
    {
      title: 'after',
      align: 'right',
      text: ({ simulation }) => shortCount(tokensSent(simulation.totals)),
      value: ({ simulation }) => tokensSent(simulation.totals),
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ simulation }) => fine(simulation.totals.without.cost, currency),
      value: ({ simulation }) => exact(simulation.totals.without.cost),
    },
    {
      title: 'with',
      align: 'right',
      text: ({ simulation }) => fine(simulation.totals.with.cost, currency),
      value: ({ simulation }) => exact(simulation.totals.with.cost),
    },
  ];
  if (format === 'csv') return renderCsv(columns, facts.transcripts);
  if (format === 'markdown') return renderMarkdown(columns, facts.transcripts);
  return safe`${renderTable(columns, facts.transcripts, style)}\n${closingText(facts, style, currency)}`;
}

function closingText(facts: SimulationFacts, style: Style, currency: Currency): SafeText {
  const { totals, policy } = facts;
  const lines = [safe`${style.bold(safe`without`)}  ${sideText(totals.without, facts, currency)}`];
  if (policy !== '') lines.push(safe`${style.bold(safe`with   `)}  ${sideText(totals.with, facts, currency)}`);
  addAll(lines, [...wrapped(adviceOf(facts, currency)), ...basisLines(facts).map(style.dim)]);
  return joined([...lines, ...rateLine(currency).map(style.dim), safe``], '\n');
}

function sideText({ usage, cost }: Side, { tokensSource }: SimulationBasis, currency: Currency): SafeText {
  return safe`${mark(tokensSource)}${shortCount(promptTokens(usage))} tokens sent (${shortCount(usage.input)} new, ${shortCount(usage.cacheRead)} read, ${shortCount(writtenOf(usage))} stored), ${fine(cost, currency)}`;
}

/** What the policy does to the bill, in plain words. */
export function adviceOf(
  { policy, totals, caches, tokensSource }: Pick<SimulationFacts, 'policy' | 'totals' | 'caches' | 'tokensSource'>,
  currency?: Currency,
): string {
  const { without, with: sent, rewrites, paidAgain, requests } = totals;
  const rests = `This rests on ${restsOn(requests, tokensSource)}, on replies that stay as they were recorded, and on ${caches.length === 0 ? 'no cache' : caches.map(({ title }) => title).join(' and ')}.`;
  if (policy === '')
    return without.cost === undefined
      ? `What ${plural(requests, 'request')} cost is not known. ${rests}`
      : `Without a policy ${plural(requests, 'request')} cost ${fine(without.cost, currency)}. ${rests}`;
  const again =
    paidAgain === 0
      ? 'none of which a cache held'
      : `so that ${plural(paidAgain, 'token')} ${paidAgain === 1 ? 'is' : 'are'} paid again`;
  const cuts =
    rewrites === 0
      ? 'It changes nothing that was sent before'
      : `It changes what was sent before in ${grouped(rewrites)} of ${plural(requests, 'request')}, ${again}`;
  if (without.cost === undefined || sent.cost === undefined) {
    const [old, now] = [promptTokens(without.usage), promptTokens(sent.usage)];
    return `The policy sends ${plural(now, 'token')} instead of ${grouped(old)}${changeText(old, now)}; what that costs is not known. ${cuts}. ${rests}`;
  }
  const saved = without.cost - sent.cost;
  const change = percentOf(saved < 0n ? -saved : saved, without.cost);
  const verdict =
    saved > 0n
      ? `Use it: it saves ${fine(saved, currency)} (${change})`
      : saved < 0n
        ? `Do not use it so: it costs ${fine(-saved, currency)} (${change}) more`
        : 'It makes no difference to the bill';
  return `${verdict}. ${cuts}. ${rests}`;
}

function restsOn(requests: number, source: SimulationBasis['tokensSource']): string {
  const how = {
    recorded: 'fitted to recorded prompts',
    exact: "counted by the model's own encoding",
    estimated: 'whose tokens are estimated',
  } as const;
  return `${plural(requests, 'request')} ${how[source]}`;
}

/** The caches with their sources, and how far they are off what is recorded. */
function basisLines({ caches, prediction, tokensSource }: SimulationBasis): SafeText[] {
  return [
    ...caches.flatMap(({ title, lifetime, caveat, source, date }) =>
      wrapped(`${title}, ${grouped(lifetime)} s: ${source}, read ${date}${caveat === undefined ? '' : `; ${caveat}`}`),
    ),
    ...(prediction === undefined ? [] : wrapped(predictionText(prediction))),
    ...(tokensSource === 'estimated'
      ? wrapped("~ estimated: the model's own tokenizer is not public, or no model is recorded")
      : []),
  ];
}

function predictionText({
  requests,
  predicted,
  recorded,
  prompt,
  off,
  predictedCost,
  recordedCost,
}: Prediction): string {
  const cost =
    predictedCost === undefined || recordedCost === undefined
      ? ''
      : `; cost ${fine(predictedCost)} instead of ${fine(recordedCost)}`;
  return `checked on ${plural(requests, 'recorded request')}: ${shortCount(predicted)} tokens read from the cache instead of ${shortCount(recorded)}, request by request ${percent(prompt === 0 ? 0 : off / prompt)} of all prompt tokens off${cost}`;
}

// --- policies against each other

export function sweepReport(facts: SweepFacts, { style, currency, format }: Look): SafeText {
  const plain = facts.outcomes[0]!.totals;
  const columns: readonly Column<Outcome>[] = [
    { title: 'policy', width: 34, text: ({ label }) => label },
    { title: 'kept', align: 'right', text: ({ totals }) => keptText(totals), value: ({ totals }) => keptShare(totals) },
    {
      title: 'sent',
      align: 'right',
      text: ({ totals }) => shortCount(tokensSent(totals)),
      value: ({ totals }) => tokensSent(totals),
    },
    {
      title: 'again',
      align: 'right',
      text: ({ totals }) => shortCount(totals.paidAgain),
      value: ({ totals }) => totals.paidAgain,
    },
    {
      title: 'cost',
      align: 'right',
      text: ({ totals }) => fine(totals.with.cost, currency),
      value: ({ totals }) => exact(totals.with.cost),
    },
    {
      title: 'change',
      align: 'right',
      text: ({ totals }) =>
        totals.with.cost === undefined || plain.with.cost === undefined
          ? ''
          : changed(plain.with.cost, totals.with.cost),
    },
    {
      title: '',
      text: (outcome) =>
        [...(outcome.isFrontier ? ['pareto'] : []), ...(outcome === facts.cheapest ? ['cheapest'] : [])].join(', '),
    },
  ];
  if (format === 'csv')
    return renderCsv(
      [...columns.slice(0, -2), { title: 'frontier', text: ({ isFrontier }) => String(isFrontier) }],
      facts.outcomes,
    );
  if (format === 'markdown') return renderMarkdown(columns, facts.outcomes);
  const lines = [...wrapped(sweepAdvice(facts, currency)), ...basisLines(facts).map(style.dim)];
  addAll(lines, [...rateLine(currency).map(style.dim), safe``]);
  return safe`${renderTable(columns, facts.outcomes, style)}\n${joined(lines, '\n')}`;
}

/** What to do, and what it rests on. */
export function sweepAdvice(
  { outcomes, cheapest, budget, within, transcripts, caches, tokensSource }: SweepFacts,
  currency?: Currency,
): string {
  const plain = outcomes[0]!;
  const rests = `This rests on ${restsOn(plain.totals.requests, tokensSource)} in ${plural(transcripts.length, 'transcript')}, on replies that stay as they were recorded, and on ${caches.length === 0 ? 'no cache' : caches.map(({ title }) => title).join(' and ')}.`;
  const say = (outcome: Outcome) =>
    `${outcome.label} (${fine(outcome.totals.with.cost, currency)}, ${keptText(outcome.totals)} of the results)`;
  if (budget !== undefined)
    return within === undefined
      ? `Nothing that was tried stays within ${fine(budget, currency)}; the cheapest is ${say(cheapest)}. ${rests}`
      : `Within ${fine(budget, currency)} most is kept by ${say(within)}. ${rests}`;
  if (cheapest === plain)
    return `Leave the context alone: nothing that was tried costs less than ${say(plain)}. ${rests}`;
  return `Use ${say(cheapest)}: it costs least, against ${fine(plain.totals.with.cost, currency)} without a policy. ${rests}`;
}

// --- retries

export function retriesReport({ transcripts, demand }: RetryFacts, { style, currency, format }: Look): SafeText {
  type Row = Retries['attempts'][number] & { readonly file: string };
  const columns = (source: Retries['tokensSource']): readonly Column<Row>[] => [
    { title: 'retries', align: 'right', text: ({ retries }) => String(retries) },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => safe`${mark(source)}${grouped(tokens)}`,
      value: ({ tokens }) => tokens,
    },
    { title: 'cost', align: 'right', text: ({ cost }) => fine(cost, currency, 1), value: ({ cost }) => exact(cost) },
    {
      title: 'stripped tokens',
      align: 'right',
      text: ({ strippedTokens }) => safe`${mark(source)}${grouped(strippedTokens)}`,
      value: ({ strippedTokens }) => strippedTokens,
    },
    {
      title: 'stripped cost',
      align: 'right',
      text: ({ strippedCost }) => fine(strippedCost, currency, 1),
      value: ({ strippedCost }) => exact(strippedCost),
    },
  ];
  const rowsOf = ({ file, line, retries }: (typeof transcripts)[number]) =>
    retries.attempts.map((attempt): Row => ({ ...attempt, file: `${file}:${line}` }));
  if (format === 'csv')
    return renderCsv(
      [{ title: 'transcript', text: ({ file }) => file }, ...columns('exact')],
      transcripts.flatMap(rowsOf),
    );
  const sections = transcripts.map((of) => {
    const { tokensSource, tokens, stripped } = of.retries;
    if (format === 'markdown') return renderMarkdown(columns(tokensSource), rowsOf(of));
    const size = safe`a context of ${mark(tokensSource)}${plural(tokens, 'token')}, stripped ${mark(tokensSource)}${grouped(stripped)}${changeText(tokens, stripped)}`;
    return safe`${headingOf(of, style)}\n${size}\n${renderTable(columns(tokensSource), rowsOf(of), style)}${demand === undefined ? safe`` : yearText(of.retries, demand, currency)}`;
  });
  return joined([...sections, ...rateLine(currency).map((line) => safe`${style.dim(line)}\n`)], '\n');
}

function yearText({ attempts }: Retries, demand: Demand, currency: Currency): SafeText {
  const { retries, cost, strippedCost } = attempts.at(-1)!;
  const [whole, less] = [perYear(cost, demand), perYear(strippedCost, demand)];
  const who = `${plural(demand.users, 'user')}, ${plural(demand.questions, 'question')} a day, ${plural(demand.subtasks, 'subtask')} each, ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  if (whole === undefined || less === undefined) return safe`a year (${shown(who)}): unpriced\n`;
  const words = `a year (${who}): ${formatMoney(whole, currency)}, stripped ${formatMoney(less, currency)}: ${formatMoney(whole - less, currency)} less`;
  return safe`${joined(wrapped(words), '\n')}\n`;
}

// --- words

function headingOf({ file, line, id, format, model }: Simulated, style: Style): SafeText {
  const what = `${format}${model === undefined ? ', no model recorded (--model names one)' : `, ${model}`}`;
  return safe`${style.name(fittedEnd(`${file}:${line}`, 78))}${id === undefined ? safe`` : safe`  ${shown(id)}`}\n${style.dim(shown(what))}`;
}

function mark(source: SimulationBasis['tokensSource']): SafeText {
  return source === 'exact' ? safe`` : safe`~`;
}

function writtenOf({ cacheWrite5m, cacheWrite1h }: Side['usage']): number {
  return cacheWrite5m + cacheWrite1h;
}

/** Single requests cost little: below a dollar there are two digits more than money has, or as many as are said; two of them significant. */
function fine(
  cost: Picodollars | undefined,
  currency: Currency = USD,
  digits = cost !== undefined && cost < ONE_DOLLAR ? 2 : 0,
): SafeText {
  return cost === undefined
    ? safe`unpriced`
    : formatMoney(cost, { ...currency, digits: Math.max(currency.digits + digits, significantDigits(cost, currency)) });
}

const ONE_DOLLAR = 10n ** 12n;

function exact(cost: Picodollars | undefined): string | undefined {
  return cost === undefined ? undefined : decimalOf(cost);
}

function keptText(totals: Totals): string {
  return percent(keptShare(totals));
}

/** Of all results that requests would send, those that they still do: 0 to 1. */
function keptShare({ resultsBefore, resultsKept }: Totals): number {
  return resultsBefore === 0 ? 1 : resultsKept / resultsBefore;
}

function percentOf(part: bigint, whole: bigint): string {
  return whole === 0n ? '0.0 %' : percent(Number((part * 1_000_000n) / whole) / 1_000_000);
}

function changed(before: Picodollars, after: Picodollars): string {
  const difference = after - before;
  return difference === 0n
    ? ''
    : `${difference < 0n ? '−' : '+'}${percentOf(difference < 0n ? -difference : difference, before)}`;
}

const WIDTH = 80;

/** Words on lines of no more than 80 columns. */
function wrapped(text: string): SafeText[] {
  const lines = [safe``];
  for (const word of pieces(shown(text), ' ')) {
    const last = lines.length - 1;
    if (lines[last] !== '' && lines[last]!.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[last] = lines[last] === '' ? word : safe`${lines[last]!} ${word}`;
  }
  return lines;
}
