/** What the reports of `audit` are about. */

import type { Omissions } from '../../omissions.js';
import type { AuditFacts } from '../../policy/audit.js';
import type { Amount } from '../../policy/costs.js';
import type { Language } from '../../policy/types.js';
import type { AuditFinding } from './audit.js';

export interface AuditReport {
  /** What was not read, and so not audited. */
  readonly omissions?: Omissions;
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
