/** What is found, in sentences: costs of misuse, alerts, advice. */
import { type Alert, type AuditFacts, projected } from '../../policy/audit.js';
import { compile } from '../../policy/compiled.js';
import { type Amount, costOf } from '../../policy/costs.js';
import { PHRASES } from '../../policy/phrases.js';
import { grouped } from '../../text/words.js';
import { amountIn, percent, usualCost } from './amounts.js';
import type { AuditReport } from './facts.js';
import { AUDIT_PHRASES, type Figures } from './phrases.js';

/** What the misuse of each tool costs. */
export function wasteSentences({
  facts: { tools, policy },
  callsPerDay,
  targetRate,
  currency,
  language,
}: AuditReport): string[] {
  const words = AUDIT_PHRASES[language];
  return tools.flatMap((row) => {
    const cost = usualCost(policy, row.name);
    const wrong = row.denied + row.invalid;
    if (cost === undefined || wrong === 0) return [];
    const now = projected(costOf(cost), callsPerDay, wrong, row.calls);
    const later = projected(costOf(cost), callsPerDay, Math.round(targetRate * MILLION), MILLION);
    const saved = now.year - later.year;
    const money = (amount: Amount) => amountIn(amount, currency);
    const wasted = words.wasted(row.name, grouped(callsPerDay), money(now.day), money(now.month), money(now.year));
    return wasted + (saved > 0n ? words.saved(percent(targetRate), money(saved)) : '') + words.stop;
  });
}

/** Rates are counted in millionths, as amounts are exact. */
const MILLION = 1_000_000;

/** The tools to use instead, at the end of a finding; may be empty. */
export function adviceText(instead: readonly string[], { language }: Pick<AuditReport, 'language'>): string {
  return instead.length === 0 ? '' : PHRASES[language].use(instead.join(', '));
}

export function idleText({ notExercised }: AuditFacts): string {
  return `not exercised: ${notExercised.join(', ')}`;
}

export function alertText(
  { of, tool, place, calls, wrong, denied, invalid, max }: Alert,
  { language, facts: { policy } }: Pick<AuditReport, 'language' | 'facts'>,
): string {
  const words = AUDIT_PHRASES[language];
  const figures = figuresOf({ calls, wrong, denied, invalid, max });
  const tools = tool === undefined ? [] : (compile(policy).specOf(tool)?.instead ?? []);
  const where = place === undefined ? '' : `${place.file}:${place.line}: `;
  return (
    where +
    (tool === undefined ? words.ofRules(of, figures) : words.ofTool(tool, figures)) +
    (tools.length === 0 ? '' : words.instead(tools.join(', '))) +
    (policy.prompt === undefined ? '' : words.inject(policy.name ?? 'policy.yaml'))
  );
}

function figuresOf({
  calls,
  wrong,
  denied,
  invalid,
  max,
}: Omit<Alert, 'rule' | 'of' | 'tool' | 'place' | 'minCalls'>): Figures {
  return {
    rate: percent(wrong / calls),
    max: percent(max),
    calls: grouped(calls),
    wrong: grouped(wrong),
    denied: grouped(denied),
    invalid: grouped(invalid),
  };
}

export function heldBackText(alert: Alert, { language }: Pick<AuditReport, 'language'>): string {
  const where = alert.place === undefined ? '' : `${alert.place.file}:${alert.place.line}: `;
  return where + AUDIT_PHRASES[language].heldBack(alert.tool ?? alert.of, figuresOf(alert), alert.minCalls);
}
