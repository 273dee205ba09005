/** `--every`: history is shortened in whole groups of calls, so that the prompt cache of the provider keeps working. */

import type { Options } from '../options/option.js';
import { type CallSite, isOpen } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { type Counted, goingOf, inWholeGroups, isCounted, isGrouped, type Pace, sizeOf, wholeGroups } from './pace.js';
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
  "n alone may part calls of one message; '20 calls' (at least 20) and '20 rounds' (messages with calls) keep them " +
  'together. ' +
  'auto: when it pays, which is when at least as much goes as the cache has to write again behind it, or when the ' +
  'cache has expired';

const HOW_MANY = {
  type: 'integer',
  least: 1,
  words: ['auto'],
  units: ['calls', 'rounds'],
  value: 'n|n calls|n rounds|auto',
} as const;

export const everyOption = {
  every: { ...HOW_MANY, default: 1, summary: HOW },
  promptCache: {
    type: 'choice',
    choices: CACHES,
    value: 'id',
    needs: ['every=auto'],
    summary: 'whose prompt cache decides when it pays; by default that of the model',
  },
} as const satisfies Options;

export type Every = number | Counted | 'auto';

/** The same for all steps of a command line. */
export const everyForSteps = {
  every: {
    ...HOW_MANY,
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
 * The calls that may supersede earlier ones, and the message since which they do: the answered calls of whole groups,
 * whatever their tool. So an earlier result changes only when a group is full. Of groups that keep calls of a message
 * together, the message is that of the call's own result.
 */
export function supersedingCalls(
  { messages }: Transcript,
  calls: readonly CallSite[],
  every: Pace['every'],
): ReadonlyMap<CallSite, number> {
  const answered = byFirstResult(calls);
  if (!isGrouped(every)) return new Map(answered.map((call) => [call, firstResult(call)]));
  const rounds = answered.map((call) => ({ round: isCounted(every) ? roundOf(call, messages) : undefined }));
  const whole = answered.slice(0, inWholeGroups(rounds, every));
  const size = typeof every === 'number' ? every : 1;
  return new Map(whole.map((call, at) => [call, firstResult(whole[wholeGroups(at, size) + size - 1]!)]));
}

/** The same for all calls of one reply, which may be several messages. */
export function roundOf({ message }: CallSite, messages: readonly Message[]): unknown {
  return messages[message]!.group ?? message;
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
  const maps = !isGrouped(pace.every)
    ? goingOf(transcript, dues(), pace)(messages.length).map(({ what }) => what)
    : list.map(({ parts }) => parts);
  return replaceParts(transcript, new Map(maps.flatMap((parts) => [...parts])));
}
