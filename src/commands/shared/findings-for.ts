/** Findings as CI systems take them, of `check` and of `audit`. Loaded only where needed. */
import { appendFileSync, statSync } from 'node:fs';
import type { FindingsReport } from '../../findings.js';
import type { Terminal } from '../../io/terminal.js';
import { findingsGithub, githubCut } from '../../reports/findings-github.js';
import { findingsGitlab } from '../../reports/findings-gitlab.js';
import { findingsJunit } from '../../reports/findings-junit.js';
import { findingsMarkdown } from '../../reports/findings-markdown.js';
import { findingsSarif, sarifCut } from '../../reports/findings-sarif.js';
import type { SafeText } from '../../safe/text.js';
import { say } from './reading.js';
import type { CiReporter } from './report-outputs.js';

declare const __VERSION__: string;

/** What the consumer of a report has no room for is said on stderr; on GitHub all of it stands in the summary of the step. */
export function findingsFor(name: CiReporter, report: FindingsReport, terminal: Terminal): SafeText {
  switch (name) {
    case 'sarif': {
      const cut = sarifCut(report);
      if (cut !== undefined) say(terminal, `ctx-trim: warning: ${cut}`);
      return findingsSarif(report, typeof __VERSION__ === 'undefined' ? '0.0.0' : __VERSION__);
    }
    case 'junit':
      return findingsJunit(report);
    case 'github': {
      const hasSummary = summarized(report, terminal);
      const cut = githubCut(report);
      if (cut !== undefined)
        say(terminal, `ctx-trim: ${cut}${hasSummary ? '; the summary of this step lists them' : ''}`);
      return findingsGithub(report);
    }
    case 'gitlab':
      return findingsGitlab(report);
    default:
      return name satisfies never;
  }
}

/** GitHub leaves out the summary of a step that is longer. https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-job-summary */
const SUMMARY_SIZE = 1 << 20;

/** Adds the findings to the summary of the step. Returns whether there is one. */
function summarized(report: FindingsReport, terminal: Terminal): boolean {
  const file = terminal.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return false;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const text = findingsMarkdown(report, SUMMARY_SIZE - size);
    if (text !== '') appendFileSync(file, text);
    return text !== '';
  } catch (error) {
    say(terminal, `ctx-trim: warning: the summary of this step cannot be written: ${(error as Error).message}`);
    return false;
  }
}
