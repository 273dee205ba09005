/** An audit: the findings of a policy over transcripts with their positions, and the same as `check` reports them. */
import type { Finding, RuleWords } from '../../findings.js';
import { JsonNode } from '../../json/node.js';
import { adviceText, alertText } from '../../policy/alerts.js';
import type { Alert, AuditFacts } from '../../policy/audit.js';
import type { PolicyFinding } from '../../policy/judge.js';
import type { Language, Policy } from '../../policy/types.js';
import type { Opened } from '../../source/piece.js';
import type { Position, Positions } from '../../source/position.js';
import type { Transcript } from '../../transcript/types.js';
import { type AuditOptions, FAMILY, openAudit, policyWords } from '../check/policies.js';

/** A finding with its position. */
export interface AuditFinding extends PolicyFinding, Position {
  readonly file: string;
  readonly transcript: { readonly index: number; readonly id: string | undefined };
}

export interface Audited {
  readonly facts: AuditFacts;
  readonly findings: readonly AuditFinding[];
}

export interface AuditRun {
  /** Takes the pieces of one file, in its order. */
  visiting(file: string): (piece: Opened) => void;
  result(): Audited;
}

export function createAuditRun(policy: Policy, options: AuditOptions): AuditRun {
  const audit = openAudit(policy, options);
  const findings: AuditFinding[] = [];
  return {
    visiting(file) {
      let index = 0;
      return (piece) => {
        let positions: Positions | undefined; // computed once, and only if there is a finding
        for (const transcript of piece.transcripts) {
          const place = { file, transcript: { index: index++, id: transcript.id } };
          for (const finding of audit.add(transcript, { file, line: piece.line, index: place.transcript.index })) {
            positions ??= piece.positions();
            findings.push({ ...finding, ...place, ...positionOf(finding, transcript, piece, positions) });
          }
        }
      };
    },
    result: () => ({ facts: audit.facts(), findings }),
  };
}

/** The position of the call; the beginning of the transcript for a finding about all of it. */
function positionOf({ call }: PolicyFinding, { messages }: Transcript, piece: Opened, positions: Positions): Position {
  const first = messages.find((message) => message.raw instanceof JsonNode)?.raw;
  for (const value of [call?.raw, first, piece.record]) {
    const position = value instanceof JsonNode ? positions(value) : undefined;
    if (position !== undefined) return position;
  }
  return { line: piece.line, column: 1 };
}

export interface AuditFindingsOptions {
  readonly language: Language;
  /** A denied call is an error; without it, it is a warning and only alerts are errors. */
  readonly strict: boolean;
  /** Where to report an alert that no call explains. */
  readonly firstFile: string;
  /** How programs name a file. */
  pathOf(file: string): string;
}

/** The findings and alerts of an audit in the shape of `check`. */
export function auditFindings({ facts, findings }: Audited, options: AuditFindingsOptions): Finding[] {
  const rows = findings.map((finding) => findingRow(finding, options));
  const alerts = facts.alerts.map((alert) => alertRow(alert, { facts, findings }, options));
  return [...rows, ...alerts];
}

/** What reporters say of the policy's rules, by id. */
export function auditRules({ policy }: AuditFacts): ReadonlyMap<string, RuleWords> {
  return new Map(policyWords(policy).map((known) => [known.id, known]));
}

function findingRow(finding: AuditFinding, options: AuditFindingsOptions): Finding {
  const { rule, severity, text, instead, file, line, column, transcript, call } = finding;
  return {
    rule: FAMILY + rule,
    severity: severity === 'error' && !options.strict ? 'warning' : severity,
    message: text + adviceText(instead, options),
    file,
    path: options.pathOf(file),
    line,
    column,
    transcript,
    index: call?.message,
    callId: call?.callId,
    excerpt: undefined,
    fix: undefined,
  };
}

/** An alert is reported at its transcript, else at the first finding of its tool. */
function alertRow(alert: Alert, { facts, findings }: Audited, options: AuditFindingsOptions): Finding {
  const { language, firstFile, pathOf } = options;
  const known = findings.find(({ call }) => alert.tool === undefined || call?.tool === alert.tool);
  const { file, line } = alert.place ?? known ?? { file: firstFile, line: 1 };
  return {
    rule: FAMILY + alert.rule,
    severity: 'error',
    message: alertText({ ...alert, place: undefined }, { language, facts }),
    file,
    path: pathOf(file),
    line,
    column: 1,
    transcript: alert.place && { index: alert.place.index, id: alert.place.transcript },
    index: undefined,
    callId: undefined,
    excerpt: undefined,
    fix: undefined,
  };
}
