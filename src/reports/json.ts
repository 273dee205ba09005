/** JSON with exact amounts of money. */
import type { Picodollars } from '../pricing/cost.js';

const MARK = '\u0000';

/** JSON with amounts of money as exact decimals: no double holds them all. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, item: unknown) => (typeof item === 'bigint' ? `${MARK}${decimalOf(item)}${MARK}` : item),
    2,
  );
  return `${text.replace(/"\\u0000([^"\\]*)\\u0000"/g, '$1')}\n`;
}

/** Picodollars as US dollars: `0.0078`. */
export function decimalOf(amount: Picodollars): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  return `${sign}${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '') || '0';
}
