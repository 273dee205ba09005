/** `stats`: tokens and costs, by message, role, tool, or by what was paid for them, as table, CSV, markdown and JSON. */

import { joined, type SafeText, safe, shown } from '../safe/text.js';
import type { AuditFacts } from '../stats/audit.js';
import type { MessageFacts, Totals, TranscriptFacts } from '../stats/facts.js';
import { type RequestSum, sumRequests } from '../stats/groups.js';
import type { RequestFacts } from '../stats/requests.js';
import { type Currency, rateLine } from '../text/money.js';
import { costText, grouped, paidText, percent, plural, sparkline, tokensText } from '../text/words.js';
import { promptTokens } from '../transcript/usage.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

/** A section of `--by message`: a transcript, and what it comes to. */
export function statsSection(
  transcript: TranscriptFacts,
  rows: readonly MessageFacts[],
  requests: readonly RequestFacts[],
  style: Style,
  currency: Currency,
): SafeText {
  const { totals, hints } = transcript;
  const sum = sumRequests(requests);
  const paid = [...paidLines(sum, style, currency), ...growthLine(requests)];
  return safe`${headingOf(transcript, style)}\n${renderTable(messageColumns(totals.tokensSource), rows, style)}${overheadText(transcript)}\n${totalsText(totals, paid, isEstimated(totals, sum), transcript, style, currency)}${joined(
    hints.map((hint) => safe`${style.dim(shown(hint))}\n`),
    '',
  )}`;
}

/** What all sections come to, where there are several. */
export function statsClosing(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  const { transcripts, totals, paid } = facts;
  const all =
    transcripts > 1
      ? safe`\n${style.bold(plural(transcripts, 'transcript'))}\n${totalsText(totals, paidLines(paid, style, currency), isEstimated(totals, paid), undefined, style, currency)}`
      : safe``;
  return safe`${all}${duplicatesText(facts, style)}`;
}

/** What the transcripts come to, behind a table of any other kind. */
export function closingText(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  const { totals, paid } = facts;
  return safe`\n${totalsText(totals, paidLines(paid, style, currency), isEstimated(totals, paid), undefined, style, currency)}${duplicatesText(facts, style)}`;
}

/** The same where nothing but requests is known. */
export function paidClosing(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  return safe`\n${joined([...paidLines(facts.paid, style, currency), ...rateLine(currency).map(style.dim), safe``], '\n')}${duplicatesText(facts, style)}`;
}

function duplicatesText({ duplicates }: AuditFacts, style: Style): SafeText {
  return duplicates === 0
    ? safe``
    : safe`${style.dim(safe`${plural(duplicates, 'record')} of usage repeated others and ${duplicates === 1 ? safe`was` : safe`were`} not counted again`)}\n`;
}

function headingOf({ file, line, id, format, model }: TranscriptFacts, style: Style): SafeText {
  return safe`${style.name(safe`${shown(file)}:${line}`)}${id === undefined ? safe`` : safe`  ${shown(id)}`}  ${style.dim(safe`${shown(format)}${model === undefined ? safe`, no model recorded (--model names one)` : safe`, ${shown(model)}`}`)}`;
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

function overheadText({ definitionTokens, requestTokens, totals }: TranscriptFacts): SafeText {
  const definitions =
    definitionTokens === 0 ? safe`` : safe`tool definitions ${tokensText(definitionTokens, totals.tokensSource)}, `;
  return safe`${definitions}each request ${requestTokens}\n`;
}

function isEstimated({ tokensSource }: Totals, paid: RequestSum): boolean {
  return tokensSource === 'estimated' || paid.tokensSource === 'estimated';
}

/** The transcript as one request, and as it was paid for: by what the recording says, or as every message of the model had sent all before it. */
function totalsText(
  totals: Totals,
  paid: readonly SafeText[],
  estimated: boolean,
  facts: TranscriptFacts | undefined,
  style: Style,
  currency: Currency,
): SafeText {
  const { tokensSource: source } = totals;
  const window =
    facts?.contextWindow === undefined
      ? safe``
      : safe`, ${percent(totals.tokens / facts.contextWindow)} of the ${grouped(facts.contextWindow)} that fit`;
  const lines = [
    safe`${plural(totals.messages, 'message')}, ${plural(totals.toolCalls, 'tool call')}, ${plural(totals.toolResults, 'result')}`,
    safe`${style.bold(safe`one request`)}  ${tokensText(totals.tokens, source)} tokens${window}, ${style.bold(costText(totals.cost, source, currency))}`,
    ...paid,
    ...(estimated
      ? [style.dim(safe`~ estimated: the model's own tokenizer is not public, or no model is recorded`)]
      : []),
    ...rateLine(currency).map(style.dim),
    safe``,
  ];
  return joined(lines, '\n');
}

function paidLines(paid: RequestSum, style: Style, currency: Currency): SafeText[] {
  const { requests, usage, tokensSource, unpriced, isRecorded } = paid;
  const mark = tokensSource === 'estimated' ? 'estimated' : 'exact';
  const cache = usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  const parts =
    cache === 0
      ? safe``
      : safe` (${grouped(usage.input)} new, ${grouped(usage.cacheRead)} from the cache, ${grouped(usage.cacheWrite5m + usage.cacheWrite1h)} into it)`;
  const written = isRecorded ? safe`, ${grouped(usage.output)} written` : safe``;
  return [
    safe`${style.bold(isRecorded ? safe`paid       ` : safe`replay     `)}  ${plural(requests, 'request')}, ${tokensText(promptTokens(usage), mark)} tokens sent${parts}${written}, ${style.bold(paidText(paid, currency))}${paid.cost === undefined && paid.knownCost > 0n ? safe` without ${plural(unpriced, 'unpriced request')}` : safe``}`,
  ];
}

/** How the context grew from request to request. */
function growthLine(requests: readonly RequestFacts[]): SafeText[] {
  const prompts = requests.map(({ usage }) => promptTokens(usage));
  if (prompts.length < 3) return [];
  const source = sumRequests(requests).tokensSource;
  const mark = source === 'estimated' ? 'estimated' : 'exact';
  return [
    safe`context      ${sparkline(prompts, 40)}  ${tokensText(prompts[0]!, mark)} → ${tokensText(
      prompts.reduce((most, next) => Math.max(most, next)),
      mark,
    )} at most`,
  ];
}
