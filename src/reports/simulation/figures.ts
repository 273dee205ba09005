/** Costs, token counts and shares as the reports of `simulate` print them. */
import type { Picodollars } from '../../decimals.js';
import { decimalOf } from '../../documents/print.js';
import type { Side, Simulation, Totals } from '../../measure/simulation/simulate.js';
import { type SafeText, safe } from '../../safe/text.js';
import { type Currency, formatMoney, significantDigits, USD } from '../../text/money.js';
import { percent } from '../../text/words.js';

/** `~` in front of estimated tokens. */
export function estimateMark(source: Simulation['tokensSource']): SafeText {
  return source === 'exact' ? safe`` : safe`~`;
}

export function cacheWriteOf({ cacheWrite5m, cacheWrite1h }: Side['usage']): number {
  return cacheWrite5m + cacheWrite1h;
}

const ONE_DOLLAR = 10n ** 12n;

/**
 * Money with more digits than usual, as single requests cost little: by default two more below a dollar.
 * At least two digits are significant.
 */
export function fineCost(
  cost: Picodollars | undefined,
  currency: Currency = USD,
  moreDigits = cost !== undefined && cost < ONE_DOLLAR ? 2 : 0,
): SafeText {
  if (cost === undefined) return safe`unpriced`;
  const digits = Math.max(currency.digits + moreDigits, significantDigits(cost, currency));
  return formatMoney(cost, { ...currency, digits });
}

/** US dollars as an exact decimal, for programs. */
export function exactCost(cost: Picodollars | undefined): string | undefined {
  return cost === undefined ? undefined : decimalOf(cost);
}

/** Of all results in the requests, the share that the policy keeps: 0 to 1. */
export function keptShare({ resultsBefore, resultsKept }: Totals): number {
  return resultsBefore === 0 ? 1 : resultsKept / resultsBefore;
}

export function keptText(totals: Totals): string {
  return percent(keptShare(totals));
}

export function percentOf(part: bigint, whole: bigint): string {
  return whole === 0n ? '0.0 %' : percent(Number((part * 1_000_000n) / whole) / 1_000_000);
}

/** `−12.5 %`, `+3.0 %`; nothing if the cost stays. */
export function costChange(before: Picodollars, after: Picodollars): string {
  const difference = after - before;
  if (difference === 0n) return '';
  return difference < 0n ? `−${percentOf(-difference, before)}` : `+${percentOf(difference, before)}`;
}
