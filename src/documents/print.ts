/** A document is a value: the command line prints it, and the library returns it. */
import type { Picodollars } from '../decimals.js';
import { safeJson } from '../safe/json.js';
import { type SafeText, safe, shown } from '../safe/text.js';

/** A document before it is printed: its amounts of money are exact, in 1e-12 US dollars. */
export type Exact<T> = number extends T
  ? T | Picodollars
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Exact<T[Key]> }
      : T;

/** JSON with amounts of money as exact decimals: no double holds them all. */
export function printed(document: unknown): SafeText {
  return safe`${safeJson(document, 2, decimalOf)}\n`;
}

/** The same as plain values: amounts of money are numbers of US dollars. */
export function plain<T>(document: Exact<T>): T {
  return plainValue(document) as T;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(decimalOf(value));
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plainValue(member)]));
}

/** Picodollars as US dollars: `0.0078`. */
export function decimalOf(amount: Picodollars): SafeText {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  return shown(`${sign}${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '') || '0');
}
