/** What is found, in sentences: costs of misuse, alerts, advice. */

import { amountIn, usualCost } from '../../engine/audit/amounts.js';
import type { AuditReport } from '../../engine/audit/report.js';
import { percent } from '../../policy/alerts.js';
import { type AuditFacts, projected } from '../../policy/audit.js';
import { AUDIT_PHRASES } from '../../policy/audit-phrases.js';
import { type Amount, amountOf } from '../../policy/costs.js';
import { grouped } from '../../text/words.js';

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
    const now = projected(amountOf(cost), callsPerDay, wrong, row.calls);
    const later = projected(amountOf(cost), callsPerDay, Math.round(targetRate * MILLION), MILLION);
    const saved = now.year - later.year;
    const money = (amount: Amount) => amountIn(amount, currency);
    const wasted = words.wasted(row.name, grouped(callsPerDay), money(now.day), money(now.month), money(now.year));
    return wasted + (saved > 0n ? words.saved(percent(targetRate), money(saved)) : '') + words.stop;
  });
}

/** Rates are counted in millionths, as amounts are exact. */
const MILLION = 1_000_000;

export function idleText({ notExercised }: AuditFacts): string {
  return `not exercised: ${notExercised.join(', ')}`;
}
