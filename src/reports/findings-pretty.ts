/** Findings for people: by file, each with the JSON that it is about; what is said of a rule is said once. */
import { countOf, type FindingRow, type FindingsReport } from './findings.js';
import type { Style } from './report.js';
import { fitted, grouped, plural, visible, wrapped } from './words.js';

export interface FindingsLayout {
  readonly style: Style;
  readonly width: number;
  /** The most findings that are shown; the rest is counted. */
  readonly most: number;
}

export function findingsPretty(report: FindingsReport, layout: FindingsLayout): string {
  if (report.transcripts === 0 && report.unreadable.length > 0) return ''; // there is nothing to say but what was said
  const shown = report.findings.slice(0, layout.most);
  const told = new Set<string>();
  const lines: string[] = [];
  shown.forEach((finding, index) => {
    if (finding.file !== shown[index - 1]?.file)
      lines.push(...(index === 0 ? [] : ['']), layout.style.name(visible(finding.file)));
    lines.push(...findingLines(finding, report, layout, !told.has(finding.rule)));
    told.add(finding.rule);
  });
  const more = report.findings.length - shown.length;
  if (more > 0) lines.push('', `… ${plural(more, 'more finding')}; --max-findings ${report.findings.length} shows all`);
  if (lines.length > 0) lines.push('');
  return [...lines, ...closingLines(report, layout), ''].join('\n');
}

function findingLines(
  finding: FindingRow,
  report: FindingsReport,
  { style, width }: FindingsLayout,
  isFirst: boolean,
): string[] {
  const { line, column, severity, message, rule, transcript, index, excerpt, fix } = finding;
  const place = `${line}:${column}`;
  const head = `  ${place}  ${severity}  `;
  const indent = ' '.repeat(4);
  const [first = '', ...rest] = wrapped(message, width, head.length);
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
    `  ${style.bold(place)}  ${{ error: style.gone, warning: style.changed, info: style.dim }[severity](severity)}  ${first}`,
    ...rest.map((text) => ' '.repeat(head.length) + text),
    `${indent}${style.dim(where)}`,
    ...(excerpt === undefined ? [] : [`${indent}${fitted(excerpt, width - indent.length)}`]),
    ...about.map((text) => style.dim(indent + text)),
  ];
}

/** The lines of an explanation that are shown: `ctx-trim rules <id>` shows all. */
const EXPLAINED = 2;

function labelled(label: string, text: string, width: number): string[] {
  const lines = wrapped(label + text, width, 4);
  return lines.length <= EXPLAINED
    ? lines
    : [...lines.slice(0, EXPLAINED - 1), fitted(lines.slice(EXPLAINED - 1).join(' '), width - 4)];
}

function closingLines(report: FindingsReport, { style }: FindingsLayout): string[] {
  const { findings, files, unreadable, transcripts, fixed, checks } = report;
  const scope = `${plural(files.length, 'file')}, ${plural(transcripts, 'transcript')}, ${plural(checks, 'rule')}`;
  const mended = fixed === 0 ? [] : [`${plural(fixed, 'finding')} fixed`];
  if (findings.length === 0)
    return [
      ...mended,
      unreadable.length === 0
        ? style.come(`All checks passed: ${scope}`)
        : `No findings in what could be read: ${scope}`,
    ];
  const errors = countOf(report, 'error');
  const warnings = countOf(report, 'warning');
  const notes = countOf(report, 'info');
  return [
    ...mended,
    style.bold(
      `${plural(errors, 'error')}, ${plural(warnings, 'warning')}${notes === 0 ? '' : `, ${plural(notes, 'note')}`} (${scope})`,
    ),
    ...fixLine(findings),
  ];
}

/** What a fix of each kind would mend on top of the one before. */
function fixLine(findings: readonly FindingRow[]): string[] {
  const countsBy = (['safe', 'lossy', 'synthetic'] as const).map((safety) => ({
    flag: safety === 'safe' ? '--fix' : `--fix=${safety}`,
    count: findings.filter(({ fix }) => fix?.safety === safety).length,
  }));
  const told = countsBy.filter(({ count }) => count > 0);
  return told.length === 0
    ? []
    : [told.map(({ flag, count }, index) => `${flag} mends ${grouped(count)}${index === 0 ? '' : ' more'}`).join(', ')];
}
