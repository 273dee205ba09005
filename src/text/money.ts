/** Money as people read it, in US dollars or in a currency that a user names. Sums stay dollars: only what is shown is converted. */
import { TranscriptError } from '../errors.js';
import { decimal, divideRounded, type Picodollars } from '../pricing/rates.js';
import { type SafeText, shown } from '../safe/text.js';

/** What amounts are shown in. */
export interface Currency {
  /** ISO 4217. */
  readonly code: string;
  /** What stands before an amount: `$`, `¥`, `CHF `. */
  readonly symbol: string;
  /** Digits of its smallest unit: 2 for cents, 0 for yen. */
  readonly digits: number;
  /** Its price of a US dollar, in 1e-12. */
  readonly perDollar: bigint;
  /** The same as the user spelled it. */
  readonly rate: string;
}

const ONE = 10n ** 12n;

export const USD: Currency = { code: 'USD', symbol: '$', digits: 2, perDollar: ONE, rate: '1' };

/** `JPY=149.5`: a currency and what a dollar costs in it; dollars where nothing is said. */
export function currencyOf(text: string | undefined): Currency {
  if (text === undefined) return USD;
  const [, letters = '', rate = ''] = /^([A-Za-z]{3})=(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const perDollar = rate === '' ? 0n : decimal(rate, 12);
  if (perDollar === 0n)
    throw new TranscriptError(
      'usage',
      `--currency \`${text}\` is no exchange rate; expected a currency and its price of a US dollar, such as JPY=149.5`,
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

/** `$1.23`, `$0.00` for nothing and `<$0.01` for what is less than the smallest unit; `¥184` and `<¥1`. */
export function formatMoney(amount: Picodollars, { symbol, digits, perDollar }: Currency = USD): SafeText {
  const sign = amount < 0n ? '-' : '';
  const unit = ONE * ONE; // an amount in smallest units, times this, is a whole number
  const exact = (amount < 0n ? -amount : amount) * perDollar * 10n ** BigInt(digits);
  if (exact > 0n && exact < unit) return shown(`${sign}<${symbol}${unitsText(1n, digits)}`);
  return shown(`${sign}${symbol}${unitsText(divideRounded(exact, unit), digits)}`);
}

/** So many digits has a picodollar. */
const MOST_DIGITS = 12;

/** One of many that stand below each other: what is less than the smallest unit has two significant digits, `$0.0012`. */
export function formatMoneyInRow(amount: Picodollars, currency: Currency = USD): SafeText {
  return formatMoney(amount, { ...currency, digits: significantDigits(amount, currency) });
}

/** Digits behind the point of which two are significant, and no fewer than the currency has. */
export function significantDigits(amount: Picodollars, { digits, perDollar }: Currency): number {
  const exact = (amount < 0n ? -amount : amount) * perDollar;
  let needed = digits;
  if (exact > 0n && exact * 10n ** BigInt(digits) < ONE * ONE)
    while (needed < MOST_DIGITS && exact * 10n ** BigInt(needed) < 10n * ONE * ONE) needed++;
  return needed;
}

/** Amounts that are compared, with as many digits as tell them apart: `$0.0011` and `$0.0006`. */
export function formatMoneyApart(amounts: readonly Picodollars[], currency: Currency = USD): SafeText[] {
  const distinct = new Set(amounts).size;
  const textsWith = (digits: number) => amounts.map((amount) => formatMoney(amount, { ...currency, digits }));
  const isApart = (texts: readonly SafeText[]) =>
    new Set(texts).size === distinct && !texts.some((text) => text.includes('<'));
  let digits = currency.digits;
  if (distinct > 1) while (digits < MOST_DIGITS && !isApart(textsWith(digits))) digits++;
  return textsWith(digits);
}

/** What to say where amounts are not dollars: the rate. */
export function rateLine({ code, rate }: Currency): SafeText[] {
  return code === USD.code ? [] : [shown(`1 USD = ${rate} ${code}`)];
}

function unitsText(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
