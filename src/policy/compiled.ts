/** A policy with its names looked up: globs and word lists as functions. */

import { pathText, TranscriptError } from '../errors.js';
import { greatest } from '../lists.js';
import { type Glob, globOf } from '../transforms/glob.js';
import { faultOfPattern } from './pattern.js';
import { type Fault, faultInSchema } from './schema-faults.js';
import type { Intent, Policy, TextCondition, ToolSpec } from './types.js';
import { type Found, type Matcher, matcherOf, plain } from './words.js';

export interface Compiled {
  readonly policy: Policy;
  /** Whether a tool is one of those: a name, a glob, an alias. */
  isOneOf(tool: string, selectors: string | readonly string[]): boolean;
  /** What the policy knows of a tool: under its name, else under a glob or an alias that it is one of. */
  specOf(tool: string): ToolSpec | undefined;
  /** The words of these lists in a text, in the order in which they stand there. */
  find(lists: readonly string[], text: string): readonly Found[];
  holds(condition: TextCondition, text: string): boolean;
  /** What the text asks for, by the intents of the policy; the one with the longest word, then the first. */
  intentOf(text: string, except?: (intent: Intent) => boolean): Intent | undefined;
}

const known = new WeakMap<Policy, Compiled>();

/** Throws TranscriptError where a list is named that the policy has not, or a pattern or a schema is at fault. */
export function compile(policy: Policy): Compiled {
  const compiled = known.get(policy) ?? compiledOf(policy);
  known.set(policy, compiled);
  return compiled;
}

function compiledOf(policy: Policy): Compiled {
  const fault = faultIn(policy);
  if (fault !== undefined) wrong(pathText(fault.path), fault.message);
  const patterns = new Map<string, readonly Glob[]>();
  const patternsOf = (selector: string) => {
    const list = patterns.get(selector) ?? expanded(selector, policy).map(globOf);
    patterns.set(selector, list);
    return list;
  };
  const known = new Map<string, boolean>(); // by selector and tool: both come again with every call
  const isOf = (tool: string, selector: string) => {
    const key = `${selector}\n${tool}`;
    const is = known.get(key) ?? patternsOf(selector).some((pattern) => pattern.test(tool));
    known.set(key, is);
    return is;
  };
  const isOneOf: Compiled['isOneOf'] = (tool, selectors) =>
    typeof selectors === 'string' ? isOf(tool, selectors) : selectors.some((selector) => isOf(tool, selector));
  const specs = Object.entries(policy.tools ?? {});
  const lists = new Map(Object.entries(policy.words ?? {}).map(([name, list]) => [name, matcherOf(list)]));
  const listOf = (name: string): Matcher =>
    lists.get(name) ?? wrong(`words.${name}`, `no word list \`${name}\`; there are ${[...lists.keys()].join(', ')}`);
  const find: Compiled['find'] = (names, text) => {
    const plainText = plain(text);
    return names.flatMap((name) => listOf(name)(plainText)).sort((a, b) => a.at - b.at);
  };
  return {
    policy,
    isOneOf,
    specOf: (tool) => (specs.find(([name]) => name === tool) ?? specs.find(([name]) => isOf(tool, name)))?.[1],
    find,
    holds: ({ matches, not_matches: not }, text) =>
      (matches === undefined || find(matches, text).length > 0) && (not === undefined || find(not, text).length === 0),
    intentOf(text, except = () => false) {
      const scored = (policy.intents ?? [])
        .filter((intent) => !except(intent))
        .map((intent) => ({
          intent,
          length: greatest(
            find(intent.words, text).map(({ word }) => word.length),
            0,
          ),
        }));
      const best = greatest(
        scored.map(({ length }) => length),
        0,
      );
      return best === 0 ? undefined : scored.find(({ length }) => length === best)!.intent;
    },
  };
}

/**
 * What a selector stands for. An alias may name aliases, each of which is looked up once; one that names itself, by itself or through
 * others, also stands for the tool of its own name.
 */
function expanded(selector: string, { aliases = {} }: Policy): string[] {
  const found = new Set<string>();
  const states = new Map<string, 'open' | 'done'>();
  const ahead: { readonly name: string; readonly closes?: true }[] = [{ name: selector }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { name, closes } = next;
    const state = states.get(name);
    if (closes) states.set(name, 'done');
    else if (state === 'open' || !Object.hasOwn(aliases, name)) found.add(name);
    else if (state === undefined) {
      states.set(name, 'open');
      ahead.push({ name, closes: true });
      for (const inner of aliases[name]!.toReversed()) ahead.push({ name: inner });
    }
  }
  return [...found];
}

/** The first pattern, reference or schema of a policy that no call can be judged by, with its path in the policy. */
export function faultIn({ words = {}, tools = {} }: Policy): Fault | undefined {
  for (const [name, { regex = [] }] of Object.entries(words))
    for (const [index, source] of regex.entries()) {
      const message = faultOfPattern(source, 'iu');
      if (message !== undefined) return { path: ['words', name, 'regex', index], message };
    }
  for (const [name, { args }] of Object.entries(tools)) {
    const fault = faultInSchema(args);
    if (fault !== undefined) return { ...fault, path: ['tools', name, 'args', ...fault.path] };
  }
  return undefined;
}

function wrong(path: string, message: string): never {
  throw new TranscriptError('config', `\`${path}\`: ${message}`, { path });
}
