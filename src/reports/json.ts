/** JSON with exact amounts of money. */
import type { Picodollars } from '../decimals.js';
import { safeJson } from '../safe/json.js';
import { type SafeText, safe, shown } from '../safe/text.js';

/** JSON with amounts of money as exact decimals: no double holds them all. */
export function jsonText(value: unknown): SafeText {
  return safe`${safeJson(value, 2, decimalOf)}\n`;
}

/** Picodollars as US dollars: `0.0078`. */
export function decimalOf(amount: Picodollars): SafeText {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  return shown(`${sign}${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '') || '0');
}
