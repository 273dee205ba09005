/** Exact decimals as whole numbers, so that sums of money are never rounded before they are shown. */

/** Money in 1e-12 US dollars: the price of one token at $0.000001 per million tokens. */
export type Picodollars = bigint;

/** US dollars, such as `0.25` or `2.5e-6`; undefined where the text is no decimal. */
export function picodollarsOf(usd: string): Picodollars | undefined {
  return partsOf(usd) === undefined ? undefined : decimal(usd, 12);
}

/** The most characters and the greatest exponent of a decimal: writing out 1e999999999 would exhaust the memory. */
const MOST_DIGITS = 400;
const DECIMAL = /^(?<sign>[+-]?)(?<whole>\d+)(?:\.(?<fraction>\d*))?(?:e(?<exponent>[+-]?\d+))?$/i;

function partsOf(value: number | string): Readonly<Record<string, string | undefined>> | undefined {
  const text = String(value).trim();
  const parts = text.length > MOST_DIGITS ? undefined : DECIMAL.exec(text)?.groups;
  return Math.abs(Number(parts?.exponent ?? 0)) > MOST_DIGITS ? undefined : parts;
}

/** A decimal as a whole number of 1e-`digits`, rounded half away from zero. Throws RangeError. */
export function decimal(value: number | string, digits: number): bigint {
  const parts = partsOf(value);
  if (parts === undefined) throw new RangeError(`not a decimal: ${value}`);
  const { sign, whole, fraction = '', exponent = '0' } = parts;
  const shift = digits - fraction.length + Number(exponent);
  const mantissa = BigInt(`${sign}${whole}${fraction}`);
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : divideRounded(mantissa, 10n ** BigInt(-shift));
}

/** Rounded to the nearest whole number, half away from zero. */
export function divideRounded(amount: bigint, by: bigint): bigint {
  return (amount < 0n ? amount - by / 2n : amount + by / 2n) / by;
}

/** US dollars as the nearest double, for JSON. */
export function toNumber(picodollars: Picodollars): number {
  return Number(`${picodollars}e-12`);
}
