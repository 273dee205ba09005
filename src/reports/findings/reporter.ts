/** A reporter of findings for programs, such as CI systems. */
import type { FindingsReport } from '../../findings.js';
import type { SafeText } from '../../safe/text.js';

export interface FindingsReporter<Id extends string = string> {
  /** Its name in `--reporter`. */
  readonly id: Id;
  /** `version` is that of ctx-trim. */
  render(report: FindingsReport, version: string): SafeText;
  /** A sentence about the findings that the report leaves out because its consumer limits their number. */
  omitted?(report: FindingsReport): string | undefined;
}

export function defineReporter<Id extends string>(reporter: FindingsReporter<Id>): FindingsReporter<Id> {
  return reporter;
}
