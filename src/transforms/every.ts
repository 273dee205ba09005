/** `--every`: history is shortened in whole groups of calls, so that the prompt cache of the provider keeps working. */

import type { Options } from '../options/option.js';
import { type CallSite, isOpen } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { goingOf, type Pace, sizeOf, wholeGroups } from './pace.js';
import { replaceParts } from './results.js';

/** The ids of cache-terms.ts, which is loaded only where it is needed. */
const CACHES = ['anthropic', 'anthropic-1h', 'openai', 'gemini', 'deepseek', 'xai', 'kimi', 'glm', 'qwen'].concat([
  'mistral',
  'minimax',
  'off',
]);

const HOW =
  'drop or shorten history only in whole groups of n calls, so that n calls in a row send the same beginning: a ' +
  'window that slides with each call rewrites the start of each prompt and loses the prompt cache of the provider. ' +
  'auto: when it pays, which is when at least as much goes as the cache has to write again behind it, or when the ' +
  'cache has expired';

export const everyOption = {
  every: { type: 'integer', least: 1, words: ['auto'], default: 1, value: 'n|auto', summary: HOW },
  promptCache: {
    type: 'choice',
    choices: CACHES,
    value: 'id',
    needs: ['every=auto'],
    summary: 'whose prompt cache decides when it pays; by default that of the model',
  },
} as const satisfies Options;

export type Every = number | 'auto';

/** The same for all steps of a command line. */
export const everyForSteps = {
  every: {
    type: 'integer',
    least: 1,
    words: ['auto'],
    value: 'n|auto',
    isTyped: true,
    summary: `for all steps that have this option: ${HOW}`,
  },
} as const satisfies Options;

/** Answered calls, in the order in which they were answered. */
export function byFirstResult(calls: readonly CallSite[]): CallSite[] {
  const answered = calls.filter((call) => !isOpen(call));
  const isOrdered = answered.every((call, at) => at === 0 || firstResult(answered[at - 1]!) <= firstResult(call));
  return isOrdered ? answered : answered.sort((a, b) => firstResult(a) - firstResult(b));
}

function firstResult({ results }: CallSite): number {
  return results[0]!.message;
}

/**
 * The calls that may supersede earlier ones: the answered calls of whole groups, whatever their tool. So an earlier
 * result changes only when a group is full.
 */
export function supersedingCalls(calls: readonly CallSite[], every: Pace['every']): ReadonlySet<CallSite> {
  const answered = byFirstResult(calls);
  return new Set(typeof every === 'number' ? answered.slice(0, wholeGroups(answered.length, every)) : answered);
}

/** What a later call makes of an earlier one. */
export interface Superseded {
  readonly call: CallSite;
  /** The message since which it is superseded. */
  readonly since: number;
  readonly parts: ReadonlyMap<Part, Part>;
}

/** Replaces what is superseded: all, or with `every=auto` what it pays to replace. */
export function replaceSuperseded(transcript: Transcript, list: readonly Superseded[], pace: Pace): Transcript {
  const { messages } = transcript;
  const dues = () =>
    list.map(({ call, since, parts }) => ({
      what: parts,
      ready: since,
      frees: [call, ...call.results].map(
        ({ message, part }) => [message, sizeOf(part) - sizeOf(parts.get(part) ?? part)] as const,
      ),
    }));
  const maps =
    typeof pace.every !== 'number'
      ? goingOf(transcript, dues(), pace)(messages.length).map(({ what }) => what)
      : list.map(({ parts }) => parts);
  return replaceParts(transcript, new Map(maps.flatMap((parts) => [...parts])));
}
