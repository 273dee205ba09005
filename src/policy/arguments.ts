/** Conditions on the arguments of a call, and keys to compare argument values. */
import { canonicalValue } from '../json/canonical.js';
import { complaint } from '../json-schema/complaint.js';
import { patternOf } from '../text/pattern.js';
import type { ArgCondition } from './types.js';

/** An argument by name (`path`) or by path (`options.path`); undefined if it is missing. */
export function argumentAt(args: unknown, name: string): unknown {
  const own = memberOf(args, name);
  return own !== undefined || !name.includes('.') ? own : name.split('.').reduce<unknown>(memberOf, args);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** A missing argument meets only `not_pattern`. */
export function argHolds(args: unknown, name: string, { equals, schema, ...patterns }: ArgCondition): boolean {
  const value = argumentAt(args, name);
  if (value === undefined) return equals === undefined && schema === undefined && patterns.pattern === undefined;
  return (
    (equals === undefined || canonicalValue(value) === canonicalValue(equals)) &&
    (schema === undefined || complaint(value, schema) === undefined) &&
    patternHolds(patterns, textOf(value), 'u')
  );
}

export function patternHolds(
  { pattern, not_pattern: not }: { readonly pattern?: string; readonly not_pattern?: string },
  text: string,
  flags: 'u' | 'iu',
): boolean {
  return (
    (pattern === undefined || patternOf(pattern, flags).test(text)) &&
    (not === undefined || !patternOf(not, flags).test(text))
  );
}

/** A key that equal values share; `./a.ts` and `a.ts` are the same file. */
export function comparisonKey(value: unknown): string {
  return typeof value === 'string' ? value.replace(/^(?:\.\/)+(?=.)/, '') : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalValue(value);
}
