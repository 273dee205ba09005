/** The tables of `stats --by message` and the totals below all tables of `stats`. */

import { snapshotText } from '../measure/pricing/rates.js';
import type { AuditFacts } from '../measure/stats/audit.js';
import type { MessageFacts, Totals, TranscriptFacts } from '../measure/stats/facts.js';
import type { RequestFacts } from '../measure/stats/request.js';
import { type RequestSum, sourceOf, sumRequests } from '../measure/stats/request-sum.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { type Currency, rateLine } from '../text/money.js';
import { widthOf } from '../text/width.js';
import {
  costText,
  grouped,
  paidText,
  percent,
  plural,
  sparkline,
  tokensText,
  unstatedText,
  wrapped,
} from '../text/words.js';
import { promptTokens } from '../transcript/usage.js';
import { attachmentLines } from './attachments.js';
import { estimateNote, estimatesNote } from './estimates.js';
import { omissionLines } from './omissions.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

export interface StatsSection {
  readonly transcript: TranscriptFacts;
  /** The messages that are listed. */
  readonly rows: readonly MessageFacts[];
  readonly requests: readonly RequestFacts[];
}

/** A section of `--by message`: the messages of a transcript and their totals. */
export function statsSection({ transcript, rows, requests }: StatsSection, style: Style, currency: Currency): SafeText {
  const { totals, hints } = transcript;
  const sum = sumRequests(requests);
  const paid = [
    paidLine(sum, style, currency),
    ...unexplainedLine(sum, currency),
    ...growthLine(requests.filter(({ agent }) => agent === transcript.agent)),
  ];
  const table = renderTable(messageColumns(totals.tokensSource), rows, style);
  const { contextWindow, model, attachments } = transcript;
  const estimate = isEstimated(totals, sum) ? estimateNote(model) : undefined;
  const beside = attachments === undefined ? [] : attachmentLines(attachments, totals.tokensSource, style);
  const closing = totalsText({ totals, beside, lines: paid, estimate, contextWindow }, style, currency);
  const hintLines = hints.map((hint) => safe`${style.dim(shown(hint))}\n`);
  return joined(
    [safe`${headingOf(transcript, style)}\n`, table, overheadText(transcript), safe`\n${closing}`, ...hintLines],
    '',
  );
}

/** The totals of all sections if there are several. */
export function statsClosing(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  const { transcripts } = facts;
  if (transcripts <= 1) return endText(facts, style);
  const title = style.bold(plural(transcripts, 'transcript'));
  return safe`\n${title}\n${allTotals(facts, style, currency)}${endText(facts, style)}`;
}

/** The totals below a table of any other kind. */
export function closingText(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  return safe`\n${allTotals(facts, style, currency)}${endText(facts, style)}`;
}

/** The totals of `--recorded`, which knows only requests. */
export function paidClosing(facts: AuditFacts, style: Style, currency: Currency): SafeText {
  const rate = rateLine(currency).map(style.dim);
  const lines = [paidLine(facts.paid, style, currency), ...unexplainedLine(facts.paid, currency), ...rate, safe``];
  return safe`\n${joined(lines, '\n')}${endText(facts, style)}`;
}

function allTotals({ totals, paid, estimated, attachments }: AuditFacts, style: Style, currency: Currency): SafeText {
  const lines = [paidLine(paid, style, currency), ...unexplainedLine(paid, currency)];
  const estimate = isEstimated(totals, paid) ? estimatesNote(estimated) : undefined;
  const beside = attachments === undefined ? [] : attachmentLines(attachments, totals.tokensSource, style);
  return totalsText({ totals, beside, lines, estimate }, style, currency);
}

function endText(facts: AuditFacts, style: Style): SafeText {
  return safe`${priceListText(facts, style)}${duplicatesText(facts, style)}${omissionLines(facts.omissions, style)}`;
}

/** The price list of the costs that were computed; nothing if all costs are recorded or unknown. */
function priceListText({ paid, totals, priceList }: AuditFacts, style: Style): SafeText {
  const isPromptPriced = totals.isUncounted !== true && totals.cost !== undefined;
  const isComputed = paid.costSource === 'computed' || paid.costSource === 'estimated' || isPromptPriced;
  return priceList === undefined || !isComputed
    ? safe``
    : safe`${style.dim(shown(`prices from ${snapshotText(priceList)}`))}\n`;
}

function duplicatesText({ duplicates }: AuditFacts, style: Style): SafeText {
  return duplicates === 0
    ? safe``
    : safe`${style.dim(safe`${plural(duplicates, 'duplicate usage record')} ignored`)}\n`;
}

/** The file, line and id of a transcript, its format and its model: on lines of their own where one has no room. */
export function headingOf(
  { file, line, id, format, model }: TranscriptFacts,
  style: Style,
  width = Infinity,
): SafeText {
  const name = safe`${shown(file)}:${line}`;
  const about = shown(`${format}, ${model ?? 'model not recorded (set --model)'}`);
  const rest = id === undefined || isIn(file, id) ? [style.dim(about)] : [shown(id), style.dim(about)];
  const isWide = widthOf(name) + widthOf(about) + (id?.length ?? 0) + 4 > width;
  return joined([style.name(name), ...rest], isWide ? '\n' : '  ');
}

/** Whether the name of a file tells the id, too. */
export function isIn(file: string, id: string): boolean {
  return id.length >= LEAST_ID && file.includes(id);
}

/** Shorter ids are in many names by chance. */
const LEAST_ID = 8;

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

/** Of notes. */
const WIDTH = 80;
const LABEL = 11;

interface TotalsText {
  readonly totals: Totals;
  /** What is sent beside the messages. */
  readonly beside: readonly SafeText[];
  /** What the requests cost. */
  readonly lines: readonly SafeText[];
  /** Why the tokens are estimated; undefined if they are not. */
  readonly estimate: SafeText | undefined;
  /** Of the model of a single transcript. */
  readonly contextWindow?: number | undefined;
}

/**
 * The cost of the transcript as one request, and of all its requests: as recorded, or as a replay in which each reply
 * of the model sends all messages before it.
 */
function totalsText(
  { totals, beside, lines: paid, estimate, contextWindow }: TotalsText,
  style: Style,
  currency: Currency,
): SafeText {
  const { tokensSource: source } = totals;
  const window =
    contextWindow === undefined
      ? safe``
      : safe`, ${percent(totals.tokens / contextWindow)} of the ${grouped(contextWindow)}-token context window`;
  const cost = style.bold(costText(totals.cost, source, currency));
  const lines = [
    joined(
      [plural(totals.messages, 'message'), plural(totals.toolCalls, 'tool call'), plural(totals.toolResults, 'result')],
      ', ',
    ),
    safe`${style.bold(safe`one request`)}  ${tokensText(totals.tokens, source)} tokens${window}, ${cost}`,
    ...beside,
    ...paid,
    ...(totals.unstated === undefined ? [] : [style.bold(safe`${unstatedText(totals.unstated)}`)]),
    ...(estimate === undefined ? [] : wrapped(estimate, WIDTH).map(style.dim)),
    ...rateLine(currency).map(style.dim),
    safe``,
  ];
  return joined(lines, '\n');
}

function paidLine(paid: RequestSum, style: Style, currency: Currency): SafeText {
  const { requests, usage, unpriced, isRecorded } = paid;
  const isPartly = isRecorded && paid.replayed > 0;
  const tokensSource = sourceOf(paid);
  const mark = tokensSource === 'estimated' ? 'estimated' : 'exact';
  const [cacheRead, cacheWrite] = [grouped(usage.cacheRead), grouped(usage.cacheWrite5m + usage.cacheWrite1h)];
  const parts =
    usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h === 0
      ? safe``
      : safe`\n${spaces(13)}(${grouped(usage.input)} uncached, ${cacheRead} cache read, ${cacheWrite} cache write)`;
  const label = style.bold(isRecorded ? safe`paid       ` : safe`replay     `);
  const input = safe`${tokensText(promptTokens(usage), mark)} input tokens`;
  const output = isRecorded ? safe`, ${tokensText(usage.output, isPartly ? mark : 'exact')} output` : safe``;
  const missing =
    paid.cost === undefined && paid.knownCost > 0n
      ? safe`\n${spaces(13)}without ${plural(unpriced, 'unpriced request')}`
      : safe``;
  const replayed = isPartly
    ? safe`\n${spaces(13)}with ${plural(paid.replayed, 'request')} without recorded usage, replayed`
    : safe``;
  const cost = paidText({ ...paid, tokensSource }, currency);
  const what = safe`  ${plural(requests, 'request')}, ${input}${output},`;
  const gap = LABEL + what.length + cost.length < WIDTH ? safe` ` : safe`\n${spaces(LABEL + 2)}`;
  return safe`${label}${what}${gap}${style.bold(cost)}${parts}${replayed}${missing}`;
}

/** What a recording states in total and no request explains. */
function unexplainedLine({ unexplained }: RequestSum, currency: Currency): SafeText[] {
  if (unexplained === undefined) return [];
  const { usage, cost } = unexplained;
  const tokens = safe`${grouped(promptTokens(usage))} input tokens, ${grouped(usage.output)} output`;
  const what = safe`of the recorded totals that no request explains`;
  return [safe`unexplained  ${tokens}, ${costText(cost, 'exact', currency)}\n${spaces(13)}${what}`];
}

/** How the context grows from request to request. */
function growthLine(requests: readonly RequestFacts[]): SafeText[] {
  const prompts = requests.map(({ usage }) => promptTokens(usage));
  if (prompts.length < 3) return [];
  const source = sumRequests(requests).tokensSource;
  const mark = source === 'estimated' ? 'estimated' : 'exact';
  return [
    safe`context      ${sparkline(prompts, 40)}  ${tokensText(prompts[0]!, mark)} → ${tokensText(
      prompts.reduce((most, next) => Math.max(most, next)),
      mark,
    )} peak`,
  ];
}
