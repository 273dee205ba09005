/** `stats`: tokens and costs, by message, role, tool, or by what was paid for them, as table, CSV, markdown and JSON. */
import type { AuditFacts } from '../stats/audit.js';
import type { MessageFacts, Totals, TranscriptFacts } from '../stats/facts.js';
import { type RequestSum, sumRequests } from '../stats/groups.js';
import type { RequestFacts } from '../stats/requests.js';
import { promptTokens } from '../transcript/usage.js';
import { type Currency, rateLine } from './money.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';
import { costText, grouped, paidText, percent, plural, sparkline, tokensText } from './words.js';

/** A section of `--by message`: a transcript, and what it comes to. */
export function statsSection(
  transcript: TranscriptFacts,
  rows: readonly MessageFacts[],
  requests: readonly RequestFacts[],
  style: Style,
  currency: Currency,
): string {
  const { totals, hints } = transcript;
  const sum = sumRequests(requests);
  const paid = [...paidLines(sum, style, currency), ...growthLine(requests)];
  return `${headingOf(transcript, style)}\n${renderTable(messageColumns(totals.tokensSource), rows, style)}${overheadText(transcript)}\n${totalsText(totals, paid, isEstimated(totals, sum), transcript, style, currency)}${hints.map((hint) => `${style.dim(hint)}\n`).join('')}`;
}

/** What all sections come to, where there are several. */
export function statsClosing(facts: AuditFacts, style: Style, currency: Currency): string {
  const { transcripts, totals, paid } = facts;
  const all =
    transcripts > 1
      ? `\n${style.bold(plural(transcripts, 'transcript'))}\n${totalsText(totals, paidLines(paid, style, currency), isEstimated(totals, paid), undefined, style, currency)}`
      : '';
  return all + duplicatesText(facts, style);
}

/** What the transcripts come to, behind a table of any other kind. */
export function closingText(facts: AuditFacts, style: Style, currency: Currency): string {
  const { totals, paid } = facts;
  return `\n${totalsText(totals, paidLines(paid, style, currency), isEstimated(totals, paid), undefined, style, currency)}${duplicatesText(facts, style)}`;
}

/** The same where nothing but requests is known. */
export function paidClosing(facts: AuditFacts, style: Style, currency: Currency): string {
  return `\n${[...paidLines(facts.paid, style, currency), ...rateLine(currency).map(style.dim), ''].join('\n')}${duplicatesText(facts, style)}`;
}

function duplicatesText({ duplicates }: AuditFacts, style: Style): string {
  return duplicates === 0
    ? ''
    : `${style.dim(`${plural(duplicates, 'record')} of usage repeated others and ${duplicates === 1 ? 'was' : 'were'} not counted again`)}\n`;
}

function headingOf({ file, line, id, format, model }: TranscriptFacts, style: Style): string {
  return `${style.name(`${file}:${line}`)}${id === undefined ? '' : `  ${id}`}  ${style.dim(`${format}${model === undefined ? ', no model recorded (--model names one)' : `, ${model}`}`)}`;
}

export function messageColumns(source: Totals['tokensSource']): readonly Column<MessageFacts>[] {
  return [
    { title: 'index', align: 'right', text: ({ index }) => String(index) },
    { title: 'role', text: ({ role }) => role },
    { title: 'tools', width: 36, text: ({ tools }) => tools.join(' '), value: ({ tools }) => tools.join(' ') },
    {
      title: 'tokens',
      align: 'right',
      text: ({ tokens }) => tokensText(tokens, source),
      value: ({ tokens }) => tokens,
    },
    {
      title: 'cumulative',
      align: 'right',
      text: ({ cumulative }) => tokensText(cumulative, source),
      value: ({ cumulative }) => cumulative,
    },
    { title: 'share', align: 'right', text: ({ share }) => percent(share), value: ({ share }) => share },
  ];
}

function overheadText({ definitionTokens, requestTokens, totals }: TranscriptFacts): string {
  const definitions =
    definitionTokens === 0 ? '' : `tool definitions ${tokensText(definitionTokens, totals.tokensSource)}, `;
  return `${definitions}each request ${requestTokens}\n`;
}

function isEstimated({ tokensSource }: Totals, paid: RequestSum): boolean {
  return tokensSource === 'estimated' || paid.tokensSource === 'estimated';
}

/** The transcript as one request, and as it was paid for: by what the recording says, or as every message of the model had sent all before it. */
function totalsText(
  totals: Totals,
  paid: readonly string[],
  estimated: boolean,
  facts: TranscriptFacts | undefined,
  style: Style,
  currency: Currency,
): string {
  const { tokensSource: source } = totals;
  const window =
    facts?.contextWindow === undefined
      ? ''
      : `, ${percent(totals.tokens / facts.contextWindow)} of the ${grouped(facts.contextWindow)} that fit`;
  return [
    `${plural(totals.messages, 'message')}, ${plural(totals.toolCalls, 'tool call')}, ${plural(totals.toolResults, 'result')}`,
    `${style.bold('one request')}  ${tokensText(totals.tokens, source)} tokens${window}, ${style.bold(costText(totals.cost, source, currency))}`,
    ...paid,
    ...(estimated ? [style.dim("~ estimated: the model's own tokenizer is not public, or no model is recorded")] : []),
    ...rateLine(currency).map(style.dim),
    '',
  ].join('\n');
}

function paidLines(paid: RequestSum, style: Style, currency: Currency): string[] {
  const { requests, usage, tokensSource, unpriced, isRecorded } = paid;
  const mark = tokensSource === 'estimated' ? 'estimated' : 'exact';
  const cache = usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  const parts =
    cache === 0
      ? ''
      : ` (${grouped(usage.input)} new, ${grouped(usage.cacheRead)} from the cache, ${grouped(usage.cacheWrite5m + usage.cacheWrite1h)} into it)`;
  const written = isRecorded ? `, ${grouped(usage.output)} written` : '';
  return [
    `${style.bold(isRecorded ? 'paid       ' : 'replay     ')}  ${plural(requests, 'request')}, ${tokensText(promptTokens(usage), mark)} tokens sent${parts}${written}, ${style.bold(paidText(paid, currency))}${paid.cost === undefined && paid.knownCost > 0n ? ` without ${plural(unpriced, 'unpriced request')}` : ''}`,
  ];
}

/** How the context grew from request to request. */
function growthLine(requests: readonly RequestFacts[]): string[] {
  const prompts = requests.map(({ usage }) => promptTokens(usage));
  if (prompts.length < 3) return [];
  const source = sumRequests(requests).tokensSource;
  const mark = source === 'estimated' ? 'estimated' : 'exact';
  return [
    `context      ${sparkline(prompts, 40)}  ${tokensText(prompts[0]!, mark)} → ${tokensText(
      prompts.reduce((most, next) => Math.max(most, next)),
      mark,
    )} at most`,
  ];
}
