/** Costs of tools and of their misuse in the currency of the report. */
import { compile } from '../../policy/compiled.js';
import { type Amount, amountOf, formatAmount, roundedNumber, symbolOf } from '../../policy/costs.js';
import type { Policy, ToolSpec } from '../../policy/types.js';
import type { AuditReport } from './report.js';

type ReportCurrency = AuditReport['currency'];

export function usualCost(policy: Policy, tool: string): number | undefined {
  const cost = compile(policy).specOf(tool)?.cost;
  return typeof cost === 'object' ? cost.usual : cost;
}

export function converted(amount: Amount, { rate }: ReportCurrency): Amount {
  return (amount * rate) / amountOf(1);
}

export function amountIn(amount: Amount, currency: ReportCurrency): string {
  return formatAmount(converted(amount, currency), currency.code);
}

/** The usual cost of a call for programs. */
export function callCost(policy: Policy, tool: string, currency: ReportCurrency): number | undefined {
  const cost = usualCost(policy, tool);
  return cost === undefined ? undefined : roundedNumber(converted(amountOf(cost), currency));
}

/** `¥0.003 (0.002-0.005)`. */
export function costText(cost: ToolSpec['cost'], currency: ReportCurrency, hasRange: boolean): string {
  if (cost === undefined) return '';
  if (typeof cost === 'number') return amountIn(amountOf(cost), currency);
  const { usual, min = usual, max = usual } = cost;
  const bare = (figure: number) => amountIn(amountOf(figure), currency).slice(symbolOf(currency.code).length);
  return `${amountIn(amountOf(usual), currency)}${min === max || !hasRange ? '' : ` (${bare(min)}-${bare(max)})`}`;
}
