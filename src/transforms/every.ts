/** `--every`: history is shortened in whole groups of calls, so that the prompt cache of the provider keeps working. */

import type { Options } from '../options/option.js';
import { type CallSite, isOpen } from '../transcript/pairs.js';

export const everyOption = {
  every: {
    type: 'integer',
    least: 1,
    default: 1,
    value: 'n',
    summary:
      'drop or shorten history only in whole groups of n calls, so that n calls in a row send the same beginning: a ' +
      'window that slides with each call rewrites the start of each prompt and loses the prompt cache of the provider',
  },
} as const satisfies Options;

/** The same for all steps of a command line. */
export const everyForSteps = {
  every: {
    type: 'integer',
    least: 1,
    value: 'n',
    isTyped: true,
    summary: `for all steps that have this option: ${everyOption.every.summary}`,
  },
} as const satisfies Options;

/** The given options of a step with those values that it has an option for, and no own value. */
export function withShared(options: Options, given: Given, shared: Given): Given {
  const fitting = Object.entries(shared).filter(([key, value]) => value !== undefined && Object.hasOwn(options, key));
  return fitting.length === 0 ? given : { ...Object.fromEntries(fitting), ...given };
}
type Given = Readonly<Record<string, unknown>>;

/** The largest multiple of `every` that is at most `count`; 0 if there is none. */
export function wholeGroups(count: number, every: number): number {
  return count < every ? 0 : count - (count % every);
}

/** Answered calls, in the order in which they were answered. */
export function byFirstResult(calls: readonly CallSite[]): CallSite[] {
  return calls.filter((call) => !isOpen(call)).sort((a, b) => a.results[0]!.message - b.results[0]!.message);
}

/**
 * The calls that may supersede earlier ones: the answered calls of whole groups, whatever their tool. So an earlier
 * result changes only when a group is full.
 */
export function supersedingCalls(calls: readonly CallSite[], every: number): ReadonlySet<CallSite> {
  const answered = byFirstResult(calls);
  return new Set(answered.slice(0, wholeGroups(answered.length, every)));
}
