/**
 * Requests that a log has lost: where each request states what it used and what the session used so far, a total that
 * grew by more says so. How many requests are missing there is not known.
 */
import type { Usage } from '../../transcript/types.js';
import type { RequestRecord } from './request.js';

interface Totaled extends RequestRecord {
  /** The usage of the session so far, if recorded. */
  readonly running: Usage | undefined;
}

/** `named`: whether the log names the request at an index by itself: its totals may be of other requests, too. */
export function withGaps<Entry extends Totaled>(
  entries: readonly Entry[],
  named: (index: number) => boolean,
): readonly Entry[] {
  let before: Usage | undefined;
  return entries.flatMap((entry, index) => {
    const { running, isRemainder, key } = entry;
    const gap = isRemainder || named(index) ? undefined : gapBetween(before, running, entry.usage);
    before = running ?? before;
    const lost = { requests: 0, running: undefined, isRemainder: true, isUnanswered: true, recordedCost: undefined };
    return gap === undefined ? [entry] : [{ ...entry, ...lost, usage: gap, key: key && `${key} before` }, entry];
  });
}

const KINDS = ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

/** Undefined if there is none, or the total began anew: Codex sets it when the context is full. */
function gapBetween(before: Usage | undefined, running: Usage | undefined, usage: Usage): Usage | undefined {
  if (before === undefined || running === undefined) return undefined;
  const rest = KINDS.map((kind) => running[kind] - before[kind] - usage[kind]);
  if (rest.some((count) => count < 0) || rest.every((count) => count === 0)) return undefined;
  return Object.fromEntries(KINDS.map((kind, index) => [kind, rest[index]!])) as unknown as Usage;
}
