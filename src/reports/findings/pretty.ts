/** Findings for people: by file, each with an excerpt of its JSON. A rule is explained only at its first finding. */

import { bySeverity, countOf, type Finding, type FindingsReport } from '../../findings.js';
import { addAll } from '../../lists.js';
import { joined, type SafeText, safe, shown, spaces } from '../../safe/text.js';
import { fitted, grouped, plural, wrapped } from '../../text/words.js';
import type { Style } from '../report.js';

export interface FindingsLayout {
  readonly style: Style;
  readonly width: number;
  /** The most findings shown; the others are only counted. */
  readonly most: number;
}

export function findingsPretty(report: FindingsReport, layout: FindingsLayout): SafeText {
  const isNothing = report.transcripts + report.findings.length === 0;
  if (isNothing && report.unreadable.length > 0) return safe``; // the errors are on stderr
  const first = report.findings.slice(0, layout.most);
  const explained = new Set<string>();
  const lines: SafeText[] = [];
  first.forEach((finding, index) => {
    if (finding.file !== first[index - 1]?.file)
      addAll(lines, [...(index === 0 ? [] : [safe``]), layout.style.name(shown(finding.file))]);
    addAll(lines, findingLines(finding, report, layout, !explained.has(finding.rule)));
    explained.add(finding.rule);
  });
  const more = report.findings.length - first.length;
  const all = report.findings.length;
  if (more > 0) lines.push(safe``, safe`\u2026 ${plural(more, 'more finding')}; --max-findings ${all} shows all`);
  if (lines.length > 0) lines.push(safe``);
  return joined([...lines, ...closingLines(report, layout), safe``], '\n');
}

function findingLines(
  finding: Finding,
  report: FindingsReport,
  { style, width }: FindingsLayout,
  isFirst: boolean,
): SafeText[] {
  const { line, column, severity, message, rule, transcript, index, excerpt, fix } = finding;
  const place = safe`${line}:${column}`;
  const head = safe`  ${place}  ${shown(severity)}  `;
  const indent = spaces(4);
  const [first = safe``, ...rest] = wrapped(message, width, head.length);
  const where = [
    rule,
    ...(index === undefined ? [] : [`message ${index}`]),
    ...(transcript !== undefined && transcript.index > 0 ? [`transcript ${transcript.index}`] : []),
  ].join(', ');
  const { error = report.wordsOf(rule).error } = finding;
  const paint = { error: style.removed, warning: style.changed, info: style.dim }[severity];
  const about = isFirst
    ? [
        ...(error === undefined ? [] : labeled('API error: ', error, width)),
        ...(fix === undefined
          ? []
          : labeled('fix: ', `${fix.summary} (--fix${fix.safety === 'safe' ? '' : `=${fix.safety}`})`, width)),
      ]
    : [];
  return [
    safe`  ${style.bold(place)}  ${paint(shown(severity))}  ${first}`,
    ...rest.map((text) => safe`${spaces(head.length)}${text}`),
    safe`${indent}${style.dim(shown(where))}`,
    ...(excerpt === undefined ? [] : [safe`${indent}${fitted(excerpt, width - indent.length)}`]),
    ...about.map((text) => style.dim(safe`${indent}${text}`)),
  ];
}

/** The most lines of an explanation; `ctx-trim rules <id>` shows all. */
const EXPLAINED = 2;

function labeled(label: string, text: string, width: number): SafeText[] {
  const lines = wrapped(label + text, width, 4);
  return lines.length <= EXPLAINED
    ? lines
    : [...lines.slice(0, EXPLAINED - 1), fitted(joined(lines.slice(EXPLAINED - 1), ' '), width - 4)];
}

function closingLines(report: FindingsReport, { style }: FindingsLayout): SafeText[] {
  const { findings, unreadable, fixed, isPreview, suppressed = 0 } = report;
  const scope = scopeText(report);
  const fixes = [
    ...(fixed === 0 ? [] : [safe`${plural(fixed, 'finding')} ${isPreview ? safe`would be fixed` : safe`fixed`}`]),
    ...(suppressed === 0 ? [] : [safe`${plural(suppressed, 'finding')} suppressed by the config`]),
  ];
  if (findings.length === 0)
    return [
      ...fixes,
      unreadable.length === 0
        ? style.added(safe`All checks passed: ${scope}`)
        : safe`No findings in the readable files: ${scope}`,
    ];
  return [...fixes, style.bold(safe`${countsText(report)} (${scope})`), ...fixLine(findings)];
}

/** Rules that a summary names. */
const MOST_RULES = 5;

/** A summary in one line, for when all reports go to files: how many findings, and of which rules. */
export function summaryLine(report: FindingsReport): SafeText {
  const { findings, unreadable } = report;
  const failed = unreadable.length === 0 ? safe`` : safe`, ${plural(unreadable.length, 'unreadable file')}`;
  const counts = new Map<string, number>();
  for (const { rule } of [...findings].sort(bySeverity)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const byRule = [...counts];
  const named = byRule.slice(0, MOST_RULES).map(([rule, count]) => safe`${grouped(count)} × ${shown(rule)}`);
  const more = byRule.length > MOST_RULES ? [safe`… ${plural(byRule.length - MOST_RULES, 'more rule')}`] : [];
  const rules = named.length === 0 ? safe`` : safe`: ${joined([...named, ...more], ', ')}`;
  return safe`${countsText(report)}${failed} (${scopeText(report)})${rules}`;
}

function countsText(report: FindingsReport): SafeText {
  const notes = countOf(report, 'info');
  const also = notes === 0 ? safe`` : safe`, ${plural(notes, 'note')}`;
  return safe`${plural(countOf(report, 'error'), 'error')}, ${plural(countOf(report, 'warning'), 'warning')}${also}`;
}

function scopeText({ files, transcripts, checks }: FindingsReport): SafeText {
  const rules = checks === undefined ? safe`` : safe`, ${plural(checks, 'rule')}`;
  return safe`${plural(files.length, 'file')}, ${plural(transcripts, 'transcript')}${rules}`;
}

/** How many findings each level of `--fix` fixes, beyond those of the level before. */
function fixLine(findings: readonly Finding[]): SafeText[] {
  const countsBy = (['safe', 'lossy', 'synthetic'] as const).map((safety) => ({
    flag: safety === 'safe' ? safe`--fix` : safe`--fix=${shown(safety)}`,
    count: findings.filter(({ fix }) => fix?.safety === safety).length,
  }));
  const useful = countsBy.filter(({ count }) => count > 0);
  return useful.length === 0
    ? []
    : [
        joined(
          useful.map(
            ({ flag, count }, index) => safe`${flag} fixes ${grouped(count)}${index === 0 ? safe`` : safe` more`}`,
          ),
          ', ',
        ),
      ];
}
