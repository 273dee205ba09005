/** What stays by default, whatever its age: what a person said to a tool, the last plan, and the last failure. */
import type { Options } from '../options/option.js';
import type { CallSite } from '../transcript/pairs.js';
import { remembered } from '../transcript/text.js';
import type { Traits } from '../transcript/types.js';
import { byFirstResult } from './every.js';
import { hasFailed } from './failures.js';
import { ASKING, isRefusal, mayBeRefusal, PLANNING } from './spoken-tools.js';

export const keepingOptions = {
  everything: {
    type: 'flag',
    summary:
      'also what stays by default: what a person answered, approved or rejected, the last plan or list of tasks, and ' +
      'the last failure',
  },
} as const satisfies Options;

/** From which message on a call may go; infinite if it stays. */
export type MayGo = (call: CallSite) => number;

/** `calls`: all of the transcript. */
export function mayGo(calls: readonly CallSite[], traits: Traits, everything: boolean | undefined): MayGo {
  if (everything === true) return () => 0;
  const known = byFirstResult(calls);
  const plans = nextOf(known.filter(({ part }) => PLANNING.has(part.tool)));
  const failures = nextOf(known.filter((call) => hasFailed(call, traits)));
  return (call) => (isSaid(call) ? STAYS : Math.max(plans.get(call) ?? 0, failures.get(call) ?? 0));
}

const STAYS = Number.POSITIVE_INFINITY;

const refuses = remembered({ may: mayBeRefusal, says: isRefusal });

/** Whether its results hold what a person said. */
export function isSaid({ part, results }: CallSite): boolean {
  return ASKING.has(part.tool) || results.some(({ part: result }) => refuses(result));
}

/** When each call got a successor. */
function nextOf(calls: readonly CallSite[]): ReadonlyMap<CallSite, number> {
  return new Map(calls.map((call, index) => [call, calls[index + 1]?.results[0]?.message ?? STAYS]));
}
