/** Amounts in the currency of a policy, exactly: whole numbers of 1e-12. */
import { decimal, divideRounded } from '../decimals.js';

export type Amount = bigint;

/** The amount of a number in a policy, by its shortest decimal. */
export function amountOf(figure: number): Amount {
  return decimal(figure, DIGITS);
}

const DIGITS = 12;
/**
 * What a person reads of an amount that goes on for long: so many digits of a small one, so many places of any other.
 */
const SIGNIFICANT = 3;
const PLACES = 2;

/** `¥0.003`, `$21.6`, `¥0.171`: exact if short, else rounded. */
export function formatAmount(amount: Amount, currency = 'USD'): string {
  return `${symbolOf(currency)}${amountText(amount)}`;
}

export function amountText(amount: Amount): string {
  const size = amount < 0n ? -amount : amount;
  const leading = DIGITS - String(size).length; // zeros behind the point; negative where the amount is 1 or more
  const places = Math.min(DIGITS, Math.max(PLACES, leading + SIGNIFICANT));
  const text = String(divideRounded(size, 10n ** BigInt(DIGITS - places))).padStart(places + 1, '0');
  const fraction = text.slice(-places).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${text.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `$`, `¥`, `CHF `. */
export function symbolOf(currency: string): string {
  const symbol = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;
  return /\p{L}$/u.test(symbol) ? `${symbol} ` : symbol;
}

/** The nearest double, for JSON. */
export function roundedNumber(amount: Amount): number {
  return Number(`${amount}e-${DIGITS}`);
}
