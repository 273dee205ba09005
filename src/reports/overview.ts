/** The overview of a file: what it is, what it cost, what is wrong with it, and what to run next. */
import { type OverviewFacts, suggestionsFor } from '../engine/overview.js';
import { bySeverity, type Finding, type Severity } from '../findings.js';
import type { AuditFacts } from '../measure/stats/audit.js';
import { badLinesText, type Omissions, unreadText } from '../omissions.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { costText, grouped, paidText, plural, tokensText, unstatedText } from '../text/words.js';
import { promptTokens } from '../transcript/usage.js';
import { besideText } from './attachments.js';
import type { Style } from './report.js';

export interface OverviewReport extends OverviewFacts {
  /** The argument that names the file in commands. */
  readonly name: string;
  readonly format: { readonly id: string; readonly title: string };
  /** Those with files of their own: they are not in the figures. */
  readonly subagents: number;
  readonly omissions: Omissions;
}

export function overviewText(report: OverviewReport, style: Style): SafeText {
  const { stats } = report;
  const lines = [
    headingText(report, style),
    row('holds', contentText(stats), style),
    row('tokens', tokensLine(stats), style),
    row('cost', safe`${costLine(stats)}${withoutText(report.subagents)}`, style),
    ...missingLines(report, style),
    row('problems', problemsLine(report), style),
    ...ruleLines(report.findings, style),
    safe``,
    style.bold(safe`Next:`),
    ...suggestionLines(report, style),
    safe``,
  ];
  return joined(lines, '\n');
}

/** The format stands below a name that leaves no room for it, and so does its id. */
function headingText({ file, format: { id, title } }: OverviewReport, { name, dim, fold }: Style): SafeText {
  const gap = (line: SafeText, otherwise: SafeText) => (fold?.(line).includes('\n') === true ? safe`\n  ` : otherwise);
  const about = safe`${shown(title)} (${shown(id)})`;
  const first = gap(safe`${shown(file)}  ${about}`, safe`  `);
  return safe`${name(shown(file))}${first}${shown(title)}${gap(safe`  ${about}`, safe` `)}${dim(safe`(${shown(id)})`)}`;
}

function missingLines({ omissions: { unread, badLines }, stats }: OverviewReport, style: Style): SafeText[] {
  const { unstated } = stats.totals;
  const replies = unstated === undefined ? [] : [unstatedText(unstated)];
  const texts = [...replies, ...badLines.map(badLinesText), ...unread.map(unreadText)];
  return texts.map((text) => row('missing', shown(text), style));
}

const LABEL = 10;

function row(label: string, text: SafeText, style: Style): SafeText {
  return safe`  ${style.bold(shown(label))}${spaces(LABEL - label.length)}${text}`;
}

function contentText({ transcripts, totals, paid }: AuditFacts): SafeText {
  const { messages, toolCalls } = totals;
  const requests = paid.requests === 0 ? safe`` : safe`, ${plural(paid.requests, 'request')}`;
  const counts = safe`${plural(transcripts, 'transcript')}, ${plural(messages, 'message')}`;
  return safe`${counts}, ${plural(toolCalls, 'tool call')}${requests}`;
}

function tokensLine({ totals, paid, attachments }: AuditFacts): SafeText {
  const beside = attachments === undefined ? safe`` : besideText(attachments, totals.tokensSource);
  const one = safe`${tokensText(totals.tokens, totals.tokensSource)} as one request${beside}`;
  if (paid.requests === 0) return one;
  const mark = paid.tokensSource === 'estimated' ? 'estimated' : 'exact';
  return safe`${one}, ${tokensText(promptTokens(paid.usage), mark)} input in all requests`;
}

function costLine({ totals, paid, unpriced }: AuditFacts): SafeText {
  const cost = paid.requests === 0 ? costText(totals.cost, totals.tokensSource) : paidText(paid);
  const recorded = paid.tokensSource === 'recorded' ? safe` (recorded usage)` : safe` (partly recorded usage)`;
  const how = paid.isRecorded ? recorded : safe` (replayed)`;
  if (unpriced.size === 0) return safe`${cost}${how}`;
  const reasons = [...unpriced.keys()].map((model) =>
    model === undefined ? 'model not recorded, set --model' : `no price for ${model}`,
  );
  const known = paid.knownCost > 0n ? cost : safe`unknown`;
  return safe`${known} (${shown(reasons.join('; '))})`;
}

function withoutText(subagents: number): SafeText {
  return subagents === 0 ? safe`` : safe`, without ${plural(subagents, 'sub-agent')}: stats counts them`;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

function problemsLine({ findings, omissions }: OverviewReport): SafeText {
  const isWhole = omissions.badLines.length === 0;
  if (findings.length === 0) return isWhole ? safe`none found by check` : safe`lines that are not JSON`;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity === 'info' ? 'note' : severity)];
  });
  const fixable = findings.filter(({ fix }) => fix !== undefined).length;
  return safe`${joined(counts, ', ')}; ${grouped(fixable)} fixable`;
}

/** Rules that are listed; `ctx-trim check` lists all. */
const MOST_RULES = 5;

function ruleLines(findings: readonly Finding[], style: Style): SafeText[] {
  const counts = new Map<string, { readonly severity: Severity; count: number }>();
  for (const { rule, severity } of [...findings].sort(bySeverity)) {
    const known = counts.get(rule);
    if (known === undefined) counts.set(rule, { severity, count: 1 });
    else known.count++;
  }
  const paints = { error: style.removed, warning: style.changed, info: style.dim };
  const shownRules = [...counts].slice(0, MOST_RULES);
  const lines = shownRules.map(
    ([rule, { severity, count }]) => safe`${spaces(LABEL + 2)}${grouped(count)} × ${paints[severity](shown(rule))}`,
  );
  const more = counts.size - shownRules.length;
  return more === 0 ? lines : [...lines, safe`${spaces(LABEL + 2)}… ${plural(more, 'more rule')}`];
}

function suggestionLines(report: OverviewReport, style: Style): SafeText[] {
  const commands = suggestionsFor(report).map(({ words, purpose }) => ({
    command: shown(`ctx-trim ${words} ${quoted(report.name)}`),
    purpose: shown(purpose),
  }));
  return commands.flatMap(({ command, purpose }) => [safe`  ${command}`, safe`      ${style.dim(purpose)}`]);
}

/** A file name as an argument for a POSIX shell. */
function quoted(name: string): string {
  const word = name.startsWith('-') && name !== '-' ? `./${name}` : name;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
