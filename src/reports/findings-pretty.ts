/** Findings for people: by file, each with the JSON that it is about; what is said of a rule is said once. */

import { countOf, type Finding, type FindingsReport } from '../findings.js';
import { addAll } from '../lists.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { fitted, grouped, plural, wrapped } from '../text/words.js';
import type { Style } from './report.js';

export interface FindingsLayout {
  readonly style: Style;
  readonly width: number;
  /** The most findings that are shown; the rest is counted. */
  readonly most: number;
}

export function findingsPretty(report: FindingsReport, layout: FindingsLayout): SafeText {
  if (report.transcripts === 0 && report.unreadable.length > 0) return safe``; // there is nothing to say but what was said
  const first = report.findings.slice(0, layout.most);
  const told = new Set<string>();
  const lines: SafeText[] = [];
  first.forEach((finding, index) => {
    if (finding.file !== first[index - 1]?.file)
      addAll(lines, [...(index === 0 ? [] : [safe``]), layout.style.name(shown(finding.file))]);
    addAll(lines, findingLines(finding, report, layout, !told.has(finding.rule)));
    told.add(finding.rule);
  });
  const more = report.findings.length - first.length;
  if (more > 0)
    lines.push(safe``, safe`… ${plural(more, 'more finding')}; --max-findings ${report.findings.length} shows all`);
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
  const { error } = report.wordsOf(rule);
  const about = isFirst
    ? [
        ...(error === undefined ? [] : labelled('the API says: ', error, width)),
        ...(fix === undefined
          ? []
          : labelled('fix: ', `${fix.summary} (--fix${fix.safety === 'safe' ? '' : `=${fix.safety}`})`, width)),
      ]
    : [];
  return [
    safe`  ${style.bold(place)}  ${{ error: style.gone, warning: style.changed, info: style.dim }[severity](shown(severity))}  ${first}`,
    ...rest.map((text) => safe`${spaces(head.length)}${text}`),
    safe`${indent}${style.dim(shown(where))}`,
    ...(excerpt === undefined ? [] : [safe`${indent}${fitted(excerpt, width - indent.length)}`]),
    ...about.map((text) => style.dim(safe`${indent}${text}`)),
  ];
}

/** The lines of an explanation that are shown: `ctx-trim rules <id>` shows all. */
const EXPLAINED = 2;

function labelled(label: string, text: string, width: number): SafeText[] {
  const lines = wrapped(label + text, width, 4);
  return lines.length <= EXPLAINED
    ? lines
    : [...lines.slice(0, EXPLAINED - 1), fitted(joined(lines.slice(EXPLAINED - 1), ' '), width - 4)];
}

function closingLines(report: FindingsReport, { style }: FindingsLayout): SafeText[] {
  const { findings, unreadable, fixed, isPreview, suppressed = 0 } = report;
  const scope = scopeText(report);
  const mended = [
    ...(fixed === 0 ? [] : [safe`${plural(fixed, 'finding')} ${isPreview ? safe`would be fixed` : safe`fixed`}`]),
    ...(suppressed === 0 ? [] : [safe`${plural(suppressed, 'finding')} suppressed by the config`]),
  ];
  if (findings.length === 0)
    return [
      ...mended,
      unreadable.length === 0
        ? style.come(safe`All checks passed: ${scope}`)
        : safe`No findings in what could be read: ${scope}`,
    ];
  return [...mended, style.bold(safe`${countsText(report)} (${scope})`), ...fixLine(findings)];
}

/** All in one line, for where the reports are in files. */
export function summaryLine(report: FindingsReport): SafeText {
  const { unreadable } = report;
  const failed = unreadable.length === 0 ? safe`` : safe`, ${plural(unreadable.length, 'unreadable file')}`;
  return safe`${countsText(report)}${failed} (${scopeText(report)})`;
}

function countsText(report: FindingsReport): SafeText {
  const notes = countOf(report, 'info');
  const also = notes === 0 ? safe`` : safe`, ${plural(notes, 'note')}`;
  return safe`${plural(countOf(report, 'error'), 'error')}, ${plural(countOf(report, 'warning'), 'warning')}${also}`;
}

function scopeText({ files, transcripts, checks }: FindingsReport): SafeText {
  return safe`${plural(files.length, 'file')}, ${plural(transcripts, 'transcript')}, ${plural(checks, 'rule')}`;
}

/** What a fix of each kind would mend on top of the one before. */
function fixLine(findings: readonly Finding[]): SafeText[] {
  const countsBy = (['safe', 'lossy', 'synthetic'] as const).map((safety) => ({
    flag: safety === 'safe' ? safe`--fix` : safe`--fix=${shown(safety)}`,
    count: findings.filter(({ fix }) => fix?.safety === safety).length,
  }));
  const told = countsBy.filter(({ count }) => count > 0);
  return told.length === 0
    ? []
    : [
        joined(
          told.map(
            ({ flag, count }, index) => safe`${flag} mends ${grouped(count)}${index === 0 ? safe`` : safe` more`}`,
          ),
          ', ',
        ),
      ];
}
