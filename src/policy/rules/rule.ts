/** What a type of rule is: the fields that it has in a policy file, and what it makes of a conversation. */

import type { z } from 'zod';
import { listIn } from '../../lists.js';
import type { Compiled } from '../compiled.js';
import type { Call, Language, RuleBase, Verdict } from '../types.js';

/** The library of schemas, handed in: it is loaded only where a policy file is read. */
export type Zod = typeof import('zod');

/** A conversation as rules see it. */
export interface Scene extends Compiled {
  readonly calls: readonly Call[];
  /** Of what is said about a call. */
  readonly language: Language;
  count(text: string): number;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type Fields<S extends Shape> = { readonly [K in keyof z.output<z.ZodObject<S>>]: z.output<z.ZodObject<S>>[K] };

export interface RuleType<S extends Shape = Shape> {
  /** As in a policy file; the file beside this one is named after it. */
  readonly type: string;
  /** What it asks for, and what exactly that means: it stands in the published schema. */
  readonly summary: string;
  /** Whether it judges a call by itself and what the user said, whatever came before: then `decide` asks it too. */
  readonly isOfCall?: boolean;
  /** Calls against it are invalid rather than denied. */
  readonly isOfForm?: boolean;
  fields(z: Zod, shared: Shared): S;
  /** The tools whose calls it judges. */
  judges(rule: RuleBase & Fields<S>): readonly string[];
  check(rule: RuleBase & Fields<S>, scene: Scene): Iterable<Verdict>;
}

/** Fields that several types have. */
export interface Shared {
  readonly selector: z.ZodString;
  readonly selectors: z.ZodArray<z.ZodString>;
  readonly lists: z.ZodArray<z.ZodString>;
  readonly text: z.ZodObject<{
    matches: z.ZodOptional<z.ZodArray<z.ZodString>>;
    not_matches: z.ZodOptional<z.ZodArray<z.ZodString>>;
  }>;
  readonly per: z.ZodOptional<z.ZodEnum<{ turn: 'turn'; transcript: 'transcript' }>>;
  readonly within: z.ZodOptional<z.ZodNumber>;
}

/** Types a rule by its fields: `export default defineRuleType({...})`. */
export function defineRuleType<S extends Shape>(type: RuleType<S>): RuleType<S> {
  return type;
}

/** The calls, each turn for itself or all together. */
export function scopes(calls: readonly Call[], per: 'turn' | 'transcript' | undefined): readonly (readonly Call[])[] {
  if (per !== 'turn') return [calls];
  const byTurn = new Map<number, Call[]>();
  for (const call of calls) listIn(byTurn, call.turn).push(call);
  return [...byTurn.values()];
}

/** Where the first call of a later step stands. The calls are in order, and may be many: it is looked for by halves. */
export function firstAfter(calls: readonly Call[], step: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle]!.step > step) high = middle;
    else low = middle + 1;
  }
  return low;
}
