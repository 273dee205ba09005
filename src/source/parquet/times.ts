/** Dates and timestamps as texts (ISO 8601) and back, to the last digit of their unit. */

export type Unit = 'MILLIS' | 'MICROS' | 'NANOS';

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;
const DAY = 86_400_000;
/** Years of four digits; what lies outside stays a number. */
const FIRST = new Date(0).setUTCFullYear(1, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** As JSON. */
export function dateOf(day: number): string {
  const millis = day * DAY;
  return isShown(millis) ? `"${new Date(millis).toISOString().slice(0, 10)}"` : String(day);
}

export function dayOf(text: string): number | undefined {
  const millis = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(millis) ? undefined : millis / DAY;
}

/** As JSON: `"2026-01-09T12:00:00.000001Z"`; without `Z` where the zone is not known. */
export function timestampOf(value: bigint, unit: Unit, isUtc: boolean): string {
  const scale = 10n ** BigInt(DIGITS[unit]);
  const part = ((value % scale) + scale) % scale;
  const millis = Number((value - part) / scale) * 1000;
  if (!isShown(millis)) return String(value);
  const fraction = String(part).padStart(DIGITS[unit], '0');
  return `"${new Date(millis).toISOString().slice(0, 19)}.${fraction}${isUtc ? 'Z' : ''}"`;
}

export function instantOf(text: string, unit: Unit, isUtc: boolean): bigint | undefined {
  const [, seconds = '', fraction = '', zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z?)$/.exec(text) ?? [];
  const millis = zone === (isUtc ? 'Z' : '') ? Date.parse(`${seconds}Z`) : Number.NaN;
  if (Number.isNaN(millis) || fraction.length > DIGITS[unit]) return undefined;
  return BigInt(millis / 1000) * 10n ** BigInt(DIGITS[unit]) + BigInt(fraction.padEnd(DIGITS[unit], '0'));
}

function isShown(millis: number): boolean {
  return millis >= FIRST && millis <= LAST;
}
