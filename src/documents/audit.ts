/** `audit --format json`. */
import type { z } from 'zod';
import { converted, usualCost } from '../engine/audit/amounts.js';
import type { AuditFinding } from '../engine/audit/audit.js';
import type { AuditReport } from '../engine/audit/report.js';
import { alertText, heldBackText } from '../policy/alerts.js';
import { type Alert, type AuditRow, projected, rateOf } from '../policy/audit.js';
import { compile } from '../policy/compiled.js';
import { type Amount, amountOf, roundedNumber } from '../policy/costs.js';
import type { Decision } from '../policy/decide.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { auditSchema, decisionSchema } from './schemas/audit.js';

export function auditDocument(report: AuditReport): Exact<z.output<typeof auditSchema>> {
  const { facts, findings, by, callsPerDay, currency } = report;
  const { policy } = facts;
  const money = (amount: Amount) => roundedNumber(converted(amount, currency));
  const rowJson = (row: AuditRow) => ({
    calls: row.calls,
    valid: row.valid,
    warned: row.warned,
    denied: row.denied,
    invalid: row.invalid,
    rate: rateOf(row),
  });
  const wastedJson = ({ wasted }: AuditRow) => ({ wasted: wasted === undefined ? null : money(wasted) });
  const tools = facts.tools.map((row) => {
    const cost = compile(policy).specOf(row.name)?.cost;
    const usual = usualCost(policy, row.name);
    const range =
      typeof cost === 'object'
        ? { cost_range: [cost.min ?? cost.usual, cost.max ?? cost.usual].map((figure) => money(amountOf(figure))) }
        : {};
    const per =
      usual === undefined ? undefined : projected(amountOf(usual), callsPerDay, row.denied + row.invalid, row.calls);
    return {
      tool: row.name,
      ...rowJson(row),
      cost_per_call: usual === undefined ? null : money(amountOf(usual)),
      ...range,
      ...wastedJson(row),
      projected:
        per === undefined
          ? null
          : { calls_per_day: callsPerDay, day: money(per.day), month: money(per.month), year: money(per.year) },
    };
  });
  const rowsJson = (rows: readonly AuditRow[], key: string) =>
    rows.map((row) => ({ [key]: row.name, ...rowJson(row), ...wastedJson(row) }));
  const grouped = {
    tool: {},
    rule: {
      rules: facts.rules.map((row) => ({ rule: row.name, type: row.type, ...rowJson(row), ...wastedJson(row) })),
    },
    file: { files: rowsJson(facts.files, 'file') },
    day: { days: rowsJson(facts.days, 'day') },
  }[by];
  const alertJson = (alert: Alert) => ({
    rule: alert.rule,
    of: alert.of,
    tool: alert.tool ?? null,
    file: alert.place?.file ?? null,
    rate: alert.wrong / alert.calls,
    max: alert.max,
    total: alert.calls,
    invalid: alert.invalid,
    denied: alert.denied,
  });
  return {
    version: 1,
    policy: policy.name ?? null,
    currency: currency.code,
    transcripts: facts.transcripts,
    tools,
    ...grouped,
    ...omissionsJson(report.omissions),
    findings: findings.map(findingJson),
    alerts: facts.alerts.map((alert) => ({ ...alertJson(alert), message: alertText(alert, report) })),
    held_back: facts.heldBack.map((alert) => ({
      ...alertJson(alert),
      min_calls: alert.minCalls,
      message: heldBackText(alert, report),
    })),
    not_exercised: facts.notExercised,
  };
}

function findingJson({ rule, type, severity, text, file, line, column, transcript, call, instead }: AuditFinding) {
  const place = {
    file,
    line,
    column,
    transcript: { index: transcript.index, id: transcript.id ?? null },
    index: call?.message ?? null,
    call_id: call?.callId ?? null,
  };
  return { rule, type, severity, message: text, ...place, tool: call?.tool ?? null, instead, fix: null };
}

/** `audit --explain`. */
export function decisionDocument(decided: Decision): Exact<z.output<typeof decisionSchema>> {
  const { decision, confidence, reason, words, intent, tool, hint, warning } = decided;
  return {
    version: 1,
    decision,
    confidence,
    reason,
    words,
    intent: intent ?? null,
    tool: tool ?? null,
    hint: hint ?? null,
    ...(warning === undefined ? {} : { warning }),
  };
}
