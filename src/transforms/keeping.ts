/** What stays by default, whatever its age: what a person said to a tool, the last plan, and the last failure. */
import type { Options } from '../options/option.js';
import type { CallSite } from '../transcript/pairs.js';
import { remembered } from '../transcript/text.js';
import type { Traits } from '../transcript/types.js';
import { byFirstResult } from './every.js';
import { hasFailed } from './failures.js';
import { ASKING, PLANNING, REFUSAL_SAYING } from './spoken-tools.js';

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
  const keeping = keepingFor(traits, everything);
  keeping.add(calls);
  return keeping.mayGo;
}

/** The same for a transcript that grows: later calls let earlier ones go, since the message of their first result. */
export function keepingFor(
  traits: Traits,
  everything: boolean | undefined,
  since: MayGo = ({ results }) => results[0]!.message,
): { add(calls: readonly CallSite[]): void; mayGo: MayGo } {
  if (everything === true) return { add: () => {}, mayGo: () => 0 };
  const plans = chainOf(({ part }) => PLANNING.has(part.tool), since);
  const failures = chainOf((call) => hasFailed(call, traits), since);
  return {
    add(calls) {
      for (const call of byFirstResult(calls)) {
        plans.add(call);
        failures.add(call);
      }
    },
    mayGo: (call) => (isSaid(call) ? STAYS : Math.max(plans.end(call), failures.end(call))),
  };
}

const STAYS = Number.POSITIVE_INFINITY;

const refuses = remembered(REFUSAL_SAYING);

/** Whether its results hold what a person said. */
export function isSaid({ part, results }: CallSite): boolean {
  return ASKING.has(part.tool) || results.some(({ part: result }) => refuses(result));
}

/** Of the calls of a kind, each stays until the next one. */
function chainOf(isOfKind: (call: CallSite) => boolean, since: MayGo): { add(call: CallSite): void; end: MayGo } {
  const ends = new Map<CallSite, number>();
  let last: CallSite | undefined;
  return {
    add(call) {
      if (!isOfKind(call)) return;
      if (last !== undefined) ends.set(last, since(call));
      ends.set(call, STAYS);
      last = call;
    },
    end: (call) => ends.get(call) ?? 0,
  };
}
