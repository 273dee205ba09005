/**
 * Formats money in US dollars or another currency. Amounts stay in dollars, and are converted only when they are shown.
 */

import { decimal, divideRounded, type Picodollars } from '../decimals.js';
import { TranscriptError } from '../errors.js';
import { type SafeText, shown } from '../safe/text.js';

export interface Currency {
  /** The ISO 4217 code. */
  readonly code: string;
  /** The prefix of an amount: `$`, `¥`, `CHF `. */
  readonly symbol: string;
  /** The decimals of its smallest unit: 2 for cents, 0 for yen. */
  readonly digits: number;
  /** The exchange rate of a US dollar, in 1e-12. */
  readonly perDollar: bigint;
  /** The exchange rate as the user wrote it. */
  readonly rate: string;
}

const ONE = 10n ** 12n;

export const USD: Currency = { code: 'USD', symbol: '$', digits: 2, perDollar: ONE, rate: '1' };

/** Parses `JPY=149.5`: a currency and its exchange rate. The default is USD. */
export function currencyOf(text: string | undefined): Currency {
  if (text === undefined) return USD;
  const [, letters = '', rate = ''] = /^([A-Za-z]{3})=(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const perDollar = rate === '' ? 0n : decimal(rate, 12);
  if (perDollar === 0n)
    throw new TranscriptError(
      'usage',
      `--currency \`${text}\` is not an exchange rate; write a currency and its price of a dollar, such as JPY=149.5`,
    );
  const code = letters.toUpperCase();
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code });
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
  return {
    code,
    symbol: /\p{L}$/u.test(symbol) ? `${symbol} ` : symbol,
    digits: format.resolvedOptions().maximumFractionDigits!,
    perDollar,
    rate,
  };
}

/** `$1.23`, `¥184`; `<$0.01`, `<¥1` for less than the smallest unit; `$0.00` for zero. */
export function formatMoney(amount: Picodollars, { symbol, digits, perDollar }: Currency = USD): SafeText {
  const sign = amount < 0n ? '-' : '';
  const unit = ONE * ONE; // the smallest unit in terms of `exact`
  const exact = (amount < 0n ? -amount : amount) * perDollar * 10n ** BigInt(digits);
  if (exact > 0n && exact < unit) return shown(`${sign}<${symbol}${unitsText(1n, digits)}`);
  return shown(`${sign}${symbol}${unitsText(divideRounded(exact, unit), digits)}`);
}

/** The decimals of a picodollar. */
const MOST_DIGITS = 12;

/** For a column of amounts: less than the smallest unit gets two significant digits, `$0.0012`. */
export function formatMoneyInRow(amount: Picodollars, currency: Currency = USD): SafeText {
  return formatMoney(amount, { ...currency, digits: significantDigits(amount, currency) });
}

/**
 * Formats a column of amounts in one style: with the currency's decimals, with more of them if all amounts are small.
 */
export function moneyColumn(amounts: readonly Picodollars[], currency: Currency): (amount: Picodollars) => SafeText {
  const most = amounts.reduce((a, b) => (b > a ? b : a), 0n);
  const digits = columnDigits(most, currency);
  return (amount) => formatMoney(amount, { ...currency, digits });
}

/** Two more decimals below a hundred of the smallest unit; below one unit, three significant digits. */
function columnDigits(most: Picodollars, currency: Currency): number {
  const { digits, perDollar } = currency;
  const units = (most * perDollar * 10n ** BigInt(digits)) / (ONE * ONE);
  if (most === 0n || units >= 100n) return digits;
  return units >= 1n ? digits + 2 : Math.min(MOST_DIGITS, significantDigits(most, currency) + 1);
}

/** The decimals that show two significant digits, at least those of the currency. */
export function significantDigits(amount: Picodollars, { digits, perDollar }: Currency): number {
  const exact = (amount < 0n ? -amount : amount) * perDollar;
  let needed = digits;
  if (exact > 0n && exact * 10n ** BigInt(digits) < ONE * ONE)
    while (needed < MOST_DIGITS && exact * 10n ** BigInt(needed) < 10n * ONE * ONE) needed++;
  return needed;
}

/** Amounts to compare, with enough digits to distinguish them: `$0.0011` and `$0.0006`. */
export function formatMoneyApart(amounts: readonly Picodollars[], currency: Currency = USD): SafeText[] {
  const distinct = new Set(amounts).size;
  const textsWith = (digits: number) => amounts.map((amount) => formatMoney(amount, { ...currency, digits }));
  const isApart = (texts: readonly SafeText[]) =>
    new Set(texts).size === distinct && !texts.some((text) => text.includes('<'));
  let digits = currency.digits;
  if (distinct > 1) while (digits < MOST_DIGITS && !isApart(textsWith(digits))) digits++;
  return textsWith(digits);
}

/** A line with the exchange rate; none for dollars. */
export function rateLine({ code, rate }: Currency): SafeText[] {
  return code === USD.code ? [] : [shown(`1 USD = ${rate} ${code}`)];
}

function unitsText(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',');
  return digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
}
