/** Conditions on the arguments of a call, and keys to compare argument values. */
import { canonicalValue } from '../json/canonical.js';
import { complaint } from '../json-schema/complaint.js';
import { patternOf } from '../text/pattern.js';
import type { ArgCondition, Source } from './types.js';

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

/** Whether a condition is about where a value comes from, which only a whole conversation tells. */
export function asksForSource({ from, not_from: notFrom }: ArgCondition): boolean {
  return from !== undefined || notFrom !== undefined;
}

/** Whether the text of a value occurs in a source, before the call. */
export type ComesFrom = (value: string, source: Source) => boolean;

/**
 * A missing argument meets only `not_pattern`. `*` holds if some argument meets the condition; `not_pattern` alone, if
 * all of them do. What a custom tool takes is a text: one argument without a name.
 */
export function argHolds(args: unknown, name: string, condition: ArgCondition, comesFrom?: ComesFrom): boolean {
  const meets = (value: unknown) => valueMeets(value, condition, comesFrom);
  if (name !== '*' || memberOf(args, name) !== undefined) return meets(argumentAt(args, name));
  const values =
    typeof args === 'string' ? [args] : typeof args === 'object' && args !== null ? Object.values(args) : [];
  const isDenial = Object.keys(condition).every((key) => key === 'not_pattern');
  return isDenial ? values.every(meets) : values.some(meets);
}

function valueMeets(
  value: unknown,
  { equals, schema, from, not_from: notFrom, ...patterns }: ArgCondition,
  comesFrom: ComesFrom = () => false,
): boolean {
  if (from !== undefined && !(value !== undefined && comesFrom(textOf(value), from))) return false;
  if (notFrom !== undefined && (value === undefined || comesFrom(textOf(value), notFrom))) return false;
  if (value === undefined) return equals === undefined && schema === undefined && patterns.pattern === undefined;
  return (
    (equals === undefined || canonicalValue(value) === canonicalValue(equals)) &&
    (schema === undefined || schemaComplaint(value, schema) === undefined) &&
    patternHolds(patterns, textOf(value), 'u')
  );
}

/** What is wrong with a value by a schema, whose patterns are matched in linear time. */
export function schemaComplaint(value: unknown, schema: unknown): string | undefined {
  return complaint(value, schema, (pattern, text) => patternOf(pattern, 'u').test(text));
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
