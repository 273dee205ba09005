/** Selectors of tools, as fields of rules have them. */
import { globOf } from '../text/glob.js';
import { expanded } from './compiled.js';
import type { Policy } from './types.js';

/** The selectors in a field, which holds one, a list or none. */
export function selectorsIn(field: unknown): readonly string[] {
  return field === undefined ? [] : [field as string | string[]].flat();
}

/** Whether every call of `inner` certainly matches `outer`. */
export function covers(outer: string, inner: string, policy: Policy): boolean {
  const globs = expanded(outer, policy).flatMap((entry) => (typeof entry === 'string' ? [globOf(entry)] : []));
  return expanded(inner, policy)
    .flatMap((entry) => (typeof entry === 'string' ? [entry] : entry.tool))
    .every((name) => globs.some((glob) => glob.test(name)));
}
