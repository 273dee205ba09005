/** The reports of `audit`. */
export { decisionJson, decisionText } from './decision.js';
export type { AuditReport } from './facts.js';
export { auditJson } from './json.js';
export { auditCsv, auditMarkdown, auditText } from './text.js';
