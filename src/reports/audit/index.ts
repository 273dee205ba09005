/** The reports of `audit`. */

export type { AuditReport } from '../../engine/audit/report.js';
export { decisionText } from './decision.js';
export { auditCsv, auditMarkdown, auditText } from './text.js';
