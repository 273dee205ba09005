/** Findings as a GitLab code quality report. */

import { type FindingsReport, fingerprintsOf } from '../../findings.js';
import { safeJson } from '../../safe/json.js';
import { type SafeText, safe } from '../../safe/text.js';
import { defineReporter } from './reporter.js';

export const reporter = defineReporter({ id: 'gitlab', render: findingsGitlab });

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const;

export function findingsGitlab({ findings, unreadable }: FindingsReport): SafeText {
  const fingerprints = fingerprintsOf(findings);
  const found = findings.map(({ message, rule, severity, path, line }, index) => ({
    description: message,
    check_name: rule,
    fingerprint: fingerprints[index],
    severity: SEVERITIES[severity],
    location: { path, lines: { begin: line } },
  }));
  const failed = unreadable.map(({ message, path, line }) => ({
    description: message,
    check_name: 'unreadable',
    fingerprint: `unreadable ${path}`,
    severity: 'blocker',
    location: { path, lines: { begin: line ?? 1 } },
  }));
  return safe`${safeJson([...found, ...failed], 2)}\n`;
}
