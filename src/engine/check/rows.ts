/** Collects findings, with the severity that the plan gives each rule. */
import type { Finding, Severity, TranscriptPlace } from '../../findings.js';
import type { Problem } from '../../rules/rule.js';
import type { Position } from '../../source/position.js';
import { grouped, plural } from '../../text/words.js';
import type { Plan } from './plan.js';

/** Where a finding is. */
export type FindingPlace = Position & TranscriptPlace;

export interface FindingRow {
  readonly rule: string;
  readonly problem: Problem;
  readonly place: FindingPlace;
  readonly more?: Pick<Finding, 'excerpt'> & Partial<Pick<Finding, 'fix' | 'error'>>;
  /** The finding is no more severe than this, whatever the plan says. */
  readonly atMost?: Severity;
}

export interface Rows {
  /** Findings are sorted by the order in which files are opened. */
  open(file: string): void;
  /** Adds a finding, unless its rule is off. */
  add(row: FindingRow): void;
  /** Forgets all findings. Returns how many there were. */
  clear(): number;
  /** All findings, by file and position. */
  sorted(): Finding[];
}

export function createRows(plan: Plan): Rows {
  const files: string[] = [];
  const rows: { readonly finding: Finding; readonly file: number }[] = [];
  return {
    open: (file) => void files.push(file),
    add(row) {
      const severity = plan.at(row.place.file).severityOf(row.rule);
      if (severity !== undefined) rows.push({ finding: findingOf(row, severity), file: files.indexOf(row.place.file) });
    },
    clear: () => rows.splice(0).length,
    sorted: () =>
      rows
        .toSorted((a, b) => a.file - b.file || a.finding.line - b.finding.line || a.finding.column - b.finding.column)
        .map(({ finding }) => finding),
  };
}

function findingOf({ rule, problem, place, more, atMost = 'error' }: FindingRow, severity: Severity): Finding {
  const { file, path, line, column, transcript } = place;
  return {
    rule,
    severity: milder(severity, atMost),
    message: problem.text,
    file,
    path,
    line,
    column,
    transcript,
    index: problem.message,
    callId: problem.callId === '' ? undefined : problem.callId,
    excerpt: undefined,
    fix: undefined,
    ...more,
  };
}

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

function milder(a: Severity, b: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(a), SEVERITIES.indexOf(b))]!;
}

/** One finding if there are more warnings than the plan allows, else none. */
export function tooManyWarnings(findings: readonly Finding[], { maxWarnings }: Plan): Finding[] {
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  if (maxWarnings === undefined || warnings.length <= maxWarnings) return [];
  return [
    {
      ...warnings[0]!,
      rule: 'check/max-warnings',
      severity: 'error',
      message: `${plural(warnings.length, 'warning')}, and no more than ${grouped(maxWarnings)} allowed`,
      transcript: undefined,
      index: undefined,
      callId: undefined,
      excerpt: undefined,
      fix: undefined,
      error: undefined,
    },
  ];
}
