/** The type of a rule type: its fields in a policy file, and its check of a conversation. */

import type { z } from 'zod';
import type { Compiled } from '../compiled.js';
import type { Conversation } from '../conversation.js';
import type { Shared, Zod } from '../fields.js';
import type { Call, Language, RuleBase, RuleResult, TextCondition } from '../types.js';

/** A conversation as rules see it. */
export interface PolicyContext extends Compiled, Conversation {
  /** Of what is said about a call. */
  readonly language: Language;
  count(text: string): number;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type Fields<S extends Shape> = { readonly [K in keyof z.output<z.ZodObject<S>>]: z.output<z.ZodObject<S>>[K] };

export interface RuleType<S extends Shape = Shape> {
  /** As in a policy file; the file beside this one is named after it. */
  readonly type: string;
  /** The exact meaning, for the published schema. */
  readonly summary: string;
  /** It needs only one call and the last user text, so `decide` can use it. */
  readonly judgesSingleCalls?: boolean;
  /** It checks results, so it cannot deny a call before it is made. */
  readonly judgesResults?: boolean;
  /** What is called later can break or satisfy it, so it cannot deny a call before it is made. */
  readonly judgesLaterCalls?: boolean;
  /** It checks the form of arguments: calls that violate it are invalid instead of denied. */
  readonly judgesArguments?: boolean;
  fields(z: Zod, shared: Shared): S;
  /** The tools whose calls it checks. */
  judges(rule: RuleBase & Fields<S>): readonly string[];
  /** The tools whose calls the rule's conditions narrow, if they differ from `judges`. */
  narrows?(rule: RuleBase & Fields<S>): readonly string[];
  check(rule: RuleBase & Fields<S>, context: PolicyContext): Iterable<RuleResult>;
}

/** Types a rule by its fields: `export default defineRuleType({...})`. */
export function defineRuleType<S extends Shape>(type: RuleType<S>): RuleType<S> {
  return type;
}

/** The calls by turn, or all together. */
export function scopes(calls: readonly Call[], per: 'turn' | 'transcript' | undefined): readonly (readonly Call[])[] {
  if (per !== 'turn') return [calls];
  return groupedBy(calls, ({ turn }) => turn);
}

/** The same, including turns without calls. */
export function inTurns(
  { calls, turns = 0 }: PolicyContext,
  per: 'turn' | 'transcript' | undefined,
): readonly (readonly Call[])[] {
  if (per !== 'turn') return [calls];
  return groupedBy(
    calls,
    ({ turn }) => turn,
    Array.from({ length: turns }, (_, index) => index + 1),
  );
}

/** The calls of each assistant message, in order. */
export function stepsOf(calls: readonly Call[]): Call[][] {
  return groupedBy(calls, ({ step }) => step);
}

function groupedBy(calls: readonly Call[], keyOf: (call: Call) => number, keys: readonly number[] = []): Call[][] {
  const groups = new Map<number, Call[]>(keys.map((key) => [key, []]));
  for (const call of calls) {
    const own = groups.get(keyOf(call)) ?? [];
    own.push(call);
    groups.set(keyOf(call), own);
  }
  return [...groups.values()];
}

/** How a text violates a condition, as the end of `the result …`. It never shows secrets. */
export function textFault(
  { matches = [], not_matches: not = [], pattern, not_pattern: notPattern }: TextCondition,
  text: string,
  { find, holds }: PolicyContext,
): string | undefined {
  if (matches.length > 0 && find(matches, text).length === 0) return `has no word of ${matches.join(', ')}`;
  const list = not.find((name) => find([name], text).length > 0);
  if (list !== undefined)
    return `matches the word list \`${list}\`${list === 'secrets' ? '' : `: "${find([list], text)[0]!.word}"`}`;
  if (pattern !== undefined && !holds({ pattern }, text)) return `does not match ${pattern}`;
  return notPattern === undefined || holds({ not_pattern: notPattern }, text) ? undefined : `matches ${notPattern}`;
}

/** `never`, `once`, `3 times`. */
export function timesText(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

/** The index of the first call of a later step, by binary search: there may be many calls. */
export function firstAfter(calls: readonly Call[], step: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle]!.step > step) high = middle;
    else low = middle + 1;
  }
  return low;
}
