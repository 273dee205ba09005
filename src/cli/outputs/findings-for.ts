/** Reports findings of `check` and `audit` in formats for CI systems. Loaded only if needed. */
import { appendFileSync } from 'node:fs';
import type { FindingsReport } from '../../findings.js';
import { loadFindingsReporter } from '../../reports/findings/index.js';
import { findingsMarkdown } from '../../reports/findings/markdown.js';
import type { SafeText } from '../../safe/text.js';
import { statsAt } from '../files/stats-at.js';
import { say } from '../inputs/reading.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CiReporter } from './report-outputs.js';

declare const __VERSION__: string;

/** Counts findings beyond the limit of the format on stderr; on GitHub, the step summary lists them. */
export async function findingsFor(name: CiReporter, report: FindingsReport, terminal: Terminal): Promise<SafeText> {
  const reporter = await loadFindingsReporter(name);
  const hasSummary = name === 'github' && summarized(report, terminal);
  const omitted = reporter.omitted?.(report);
  if (omitted !== undefined) say(terminal, `ctx-trim: ${omitted}${hasSummary ? '; the step summary lists them' : ''}`);
  return reporter.render(report, typeof __VERSION__ === 'undefined' ? '0.0.0' : __VERSION__);
}

/**
 * GitHub drops longer step summaries.
 * https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-job-summary
 */
const SUMMARY_SIZE = 1 << 20;

/** Adds the findings to the step summary. Returns whether there is one. */
function summarized(report: FindingsReport, terminal: Terminal): boolean {
  const file = terminal.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return false;
  try {
    const size = statsAt(file)?.size ?? 0;
    const text = findingsMarkdown(report, SUMMARY_SIZE - size);
    if (text !== '') appendFileSync(file, text);
    return text !== '';
  } catch (error) {
    say(terminal, `ctx-trim: warning: cannot write the step summary: ${(error as Error).message}`);
    return false;
  }
}
