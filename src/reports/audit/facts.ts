/** What the reports of `audit` are about. */
import type { AuditFacts } from '../../policy/audit.js';
import type { Amount } from '../../policy/costs.js';
import type { PolicyFinding } from '../../policy/judge.js';
import type { Language } from '../../policy/types.js';

/** A finding with its position, as in the reports of `check`. */
export interface AuditFinding extends PolicyFinding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly transcript: { readonly index: number; readonly id: string | undefined };
}

export interface AuditReport {
  readonly facts: AuditFacts;
  readonly findings: readonly AuditFinding[];
  readonly by: 'tool' | 'rule' | 'file' | 'day';
  readonly callsPerDay: number;
  /** The rate of misuse that savings are computed for: 0.02. */
  readonly targetRate: number;
  readonly language: Language;
  /** The currency of the report, and its exchange rate to the policy's currency in 1e-12. */
  readonly currency: { readonly code: string; readonly rate: Amount };
}
