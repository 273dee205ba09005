/** What `clear` clears when. */
import { pair } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { type ClearedWith, clearedParts } from './clear-calls.js';
import { byFirstResult, roundOf } from './every.js';
import { mayGo } from './keeping.js';
import { type Due, type Going, goingOf, isCounted, type Pace, sizeOf } from './pace.js';
import { attachedTokens, overheadTokens } from './request.js';
import { toolMatcher } from './tools.js';
import type { Counts } from './transform.js';

export interface ClearOptions extends ClearedWith, Pace {
  readonly trigger: number;
  readonly keep: number;
  readonly clearAtLeast: number | undefined;
  readonly minSize: number | undefined;
  readonly everything: boolean | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

/** Small results stay whole: they free little, and are often used again. With `every=auto`, more of them do. */
export function leastSize({ minSize, every }: Pick<ClearOptions, 'minSize' | 'every'>): number {
  return minSize ?? (every === 'auto' ? 1000 : 200);
}

/** The parts of a call that are cleared, and what stands for them. */
type Cleared = ReadonlyMap<Part, Part>;

/** The results that are cleared while the transcript grows. */
export function goingCleared(transcript: Transcript, options: ClearOptions, counts: Counts): Going<Cleared> {
  const { calls } = pair(transcript.messages);
  const answered = byFirstResult(calls);
  const matches = toolMatcher(options);
  const may = mayGo(calls, transcript.traits, options.everything);
  const least = leastSize(options);
  const kept = Math.max(0, options.keep);
  const keys = answered.map((call, at) => (isCounted(options.every) ? roundOf(call, transcript.messages) : at));
  const lastOf = new Map(keys.map((key, at) => [key, at])); // of a round: until then, none of it is old
  const dues = answered.flatMap((call, index): Due<Cleared>[] => {
    const round = keys[index];
    const newer = answered[lastOf.get(round)! + kept];
    if (newer === undefined) return [];
    const ready = Math.max(may(call), newer.results[0]!.message);
    const isLong = call.results.reduce((sum, { part }) => sum + sizeOf(part), 0) >= least;
    const what = isLong && matches(call.part.tool) && ready < NEVER ? clearedParts(call, options, counts) : NOTHING;
    const saved = (part: Part) => sizeOf(part) - sizeOf(what.get(part) ?? part);
    const parts = [call, ...call.results].map(({ message, part }) => [message, saved(part)] as const);
    return what.size === 0 ? [] : [{ what, ready, round, frees: parts.filter(([, size]) => size !== 0) }];
  });
  return goingOf(transcript, dues, options, {
    isWhole: true,
    from: () => firstAbove(transcript, options.trigger, counts),
  });
}

const NEVER = Number.POSITIVE_INFINITY;
const NOTHING: Cleared = new Map();

/** The message with which the request exceeds a number of tokens. */
function firstAbove(transcript: Transcript, tokens: number, counts: Counts): number {
  let sum = overheadTokens(transcript, counts);
  return transcript.messages.findIndex((message) => {
    sum += counts.message(message) + attachedTokens(message, counts);
    return sum > tokens;
  });
}
