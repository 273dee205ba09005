/** Findings as CI systems take them, of `check` and of `audit`. It is bundled apart. */
import type { FindingsReport } from '../reports/findings.js';
import { findingsGithub } from '../reports/findings-github.js';
import { findingsGitlab } from '../reports/findings-gitlab.js';
import { findingsJunit } from '../reports/findings-junit.js';
import { findingsSarif } from '../reports/findings-sarif.js';
import type { SafeText } from '../safe/text.js';
import type { CiReporter } from './outlets.js';

declare const __VERSION__: string;

export function findingsFor(name: CiReporter, report: FindingsReport): SafeText {
  switch (name) {
    case 'sarif':
      return findingsSarif(report, typeof __VERSION__ === 'undefined' ? '0.0.0' : __VERSION__);
    case 'junit':
      return findingsJunit(report);
    case 'github':
      return findingsGithub(report);
    case 'gitlab':
      return findingsGitlab(report);
    default:
      return name satisfies never;
  }
}
