/** A transcript as people read it. */
import type { ShownMessage, ShownTranscript } from '../../engine/show/show.js';
import type { Finding } from '../../findings.js';
import type { Carried } from '../../measure/stats/carried.js';
import type { RequestFacts } from '../../measure/stats/request.js';
import { sumRequests } from '../../measure/stats/request-sum.js';
import { joined, type SafeText, safe, shown, trimmed } from '../../safe/text.js';
import { costInRow, grouped, paidText, percent, plural, tokensText } from '../../text/words.js';
import { promptTokens } from '../../transcript/usage.js';
import { besideText } from '../attachments.js';
import { titleOf } from '../diff-layout.js';
import type { Style } from '../report.js';
import { headingOf } from '../stats.js';
import { wrap } from '../wrap.js';
import { type PartLook, partsLines } from './parts.js';

const INDENT = safe`  `;

/** The text in pieces, so that a long transcript is never in memory as a whole. */
export function* transcriptText(transcript: ShownTranscript, look: PartLook): Generator<SafeText> {
  const { facts, messages } = transcript;
  yield safe`${headingOf(facts, look.style, look.width)}\n${look.style.dim(summary(transcript))}\n`;
  const lines = transcript.findings.map((finding) => findingLine(finding, look.style));
  if (lines.length > 0) yield safe`\n${joined(lines, '\n')}\n`;
  const counted = facts.messages;
  let next = 0; // the first of `counted` that is neither shown nor left out yet
  for (const message of messages) {
    const first = next;
    while (next < counted.length && counted[next]!.index < message.index) next++;
    yield gap(next - first, look.style);
    yield messageText(message, transcript, look);
    if (counted[next]?.index === message.index) next++;
  }
  yield gap(counted.length - next, look.style);
}

/** `17 messages, ~2,333 tokens as one request, 6 requests for $0.08`. */
function summary({ facts: { totals, attachments }, requests }: ShownTranscript): SafeText {
  const one = safe`${plural(totals.messages, 'message')}, ${tokensText(totals.tokens, totals.tokensSource)} tokens`;
  const sum = sumRequests(requests);
  const beside = attachments === undefined ? safe`` : besideText(attachments, totals.tokensSource);
  if (sum.requests === 0) return safe`${one}${beside}`;
  const paid = sum.knownCost > 0n || sum.cost !== undefined ? safe` for ${paidText(sum)}` : safe``;
  return safe`${one}${beside}, ${plural(sum.requests, 'request')}${paid}`;
}

/** Messages that are left out. */
function gap(count: number, style: Style): SafeText {
  return count === 0 ? safe`` : safe`\n${style.dim(safe`⋯ ${plural(count, 'message')}`)}\n`;
}

function messageText(shownMessage: ShownMessage, transcript: ShownTranscript, look: PartLook): SafeText {
  const { index, message, facts, findings } = shownMessage;
  const { style } = look;
  const tools = facts?.tools ?? [];
  const title = titleOf({ index, role: message.role, tools: message.role === 'assistant' ? [] : tools });
  const innerLook = { ...look, width: look.width - INDENT.length };
  const paint = message.role === 'user' ? style.name : style.bold;
  const figures = joined(figuresOf(shownMessage, transcript), ', ');
  const heading = wrap(
    [
      { text: safe`${title}  `, paint },
      { text: figures, paint: style.dim },
    ],
    innerLook.width,
  );
  const lines = [...partsLines(message, tools, innerLook), ...findings.map((finding) => findingLine(finding, style))];
  const body = lines.map((line) => safe`${trimmed(safe`${INDENT}${line}`)}\n`);
  return safe`\n${joined(heading, '\n  ')}\n${joined(body, '')}`;
}

function findingLine({ severity, message, rule, line, column }: Finding, style: Style): SafeText {
  return style.removed(safe`${shown(severity)}: ${shown(message)} (${shown(rule)}, ${line}:${column})`);
}

/** Tokens, who carried them, and what the request cost of which a message is the reply. */
function figuresOf(
  { attachment, facts, request, carried }: ShownMessage,
  { facts: { totals } }: ShownTranscript,
): SafeText[] {
  if (facts === undefined) return [attachment === undefined ? safe`record` : safe`record: ${shown(attachment)}`];
  return [
    safe`${tokensText(facts.tokens, totals.tokensSource)} tokens`,
    ...carriedFigures(carried, totals.tokensSource),
    ...(request === undefined ? [] : requestFigures(request)),
  ];
}

function carriedFigures(carried: readonly Carried[], source: 'exact' | 'estimated'): SafeText[] {
  const [first] = carried;
  if (first === undefined || first.requests === 0) return [];
  const costs = carried.map(({ cost }) => cost);
  const cost = costs.every((each) => each !== undefined) ? costs.reduce((sum, each) => sum + each, 0n) : undefined;
  const paid = cost === undefined ? safe`` : safe` for ${costInRow(cost, source)}`;
  return [safe`carried by ${plural(first.requests, 'request')}${paid}`];
}

function requestFigures({ usage, cost, time, tokensSource }: RequestFacts): SafeText[] {
  const prompt = promptTokens(usage);
  const source = tokensSource === 'estimated' ? 'estimated' : 'exact';
  const cached = usage.cacheRead === 0 ? safe`` : safe` (${percent(usage.cacheRead / prompt)} cached)`;
  const reply = tokensSource === 'recorded' ? safe`, output ${grouped(usage.output)}` : safe``;
  const hasTokens = prompt + usage.output > 0; // some logs state a cost alone
  const tokens = hasTokens ? safe`prompt ${tokensText(prompt, source)}${cached}${reply}` : safe`no tokens recorded`;
  return [safe`${tokens}, ${costInRow(cost, source)}`, ...(time === undefined ? [] : [safe`at ${localTime(time)}`])];
}

/** `2026-01-31 10:02:33`, local time. */
function localTime(time: number): SafeText {
  const date = new Date(time);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
  return shown(`${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`);
}
