/** A compiled policy: its globs, aliases and word lists as functions. */

import { pathText, TranscriptError } from '../errors.js';
import { type Fault, faultInSchema } from '../json-schema/faults.js';
import { greatest } from '../lists.js';
import { errorExcerpt } from '../text/error-text.js';
import { type Glob, globOf } from '../text/glob.js';
import { faultOfPattern } from '../text/pattern.js';
import { textOf } from '../transcript/text.js';
import { argHolds, type ComesFrom, patternHolds } from './arguments.js';
import { COMMON_WORDS } from './common-words.js';
import type {
  ArgConditions,
  Call,
  CallKind,
  CallResult,
  Intent,
  Policy,
  ResultCondition,
  TextCondition,
  ToolSpec,
} from './types.js';
import { type Found, type Matcher, matcherOf, normalizedText } from './words.js';

export interface Compiled {
  readonly policy: Policy;
  /** Whether a tool matches a selector: a name, a glob or an alias. */
  isOneOf(tool: string, selectors: string | readonly string[]): boolean;
  /** The same for a call, including the conditions of an alias. */
  is(call: Call, selectors: string | readonly string[]): boolean;
  /** Whether a call failed: by its error flag, else by the word list `errors`. */
  failed(call: Call): boolean;
  argsHold(conditions: ArgConditions, call: Call, comesFrom?: ComesFrom): boolean;
  resultHolds(condition: ResultCondition, call: Call): boolean;
  /** The entry of a tool in `tools`: by its name, else by the first matching glob or alias. */
  specOf(tool: string): ToolSpec | undefined;
  /** The words of these lists in a text, in text order. */
  find(lists: readonly string[], text: string): readonly Found[];
  holds(condition: TextCondition, text: string): boolean;
  /**
   * What the text asks for, by the intents of the policy: the one whose verb comes first, else the one with the
   * longest word, then the first.
   */
  intentOf(text: string, except?: (intent: Intent) => boolean): Intent | undefined;
}

const known = new WeakMap<Policy, Compiled>();

/** Throws TranscriptError for an unknown word list, and for an invalid pattern or schema. */
export function compile(policy: Policy): Compiled {
  const compiled = known.get(policy) ?? compiledOf(policy);
  known.set(policy, compiled);
  return compiled;
}

function compiledOf(policy: Policy): Compiled {
  const fault = faultIn(policy);
  if (fault !== undefined) wrong(pathText(fault.path), fault.message);
  const entries = new Map<string, Entries>();
  const entriesOf = (selector: string) => {
    const own = entries.get(selector) ?? entriesIn(expanded(selector, policy));
    entries.set(selector, own);
    return own;
  };
  const known = new Map<string, boolean>(); // cache, by selector and tool
  const isOf = (tool: string, selector: string) => {
    const key = `${selector}\n${tool}`;
    const { globs, kinds } = entriesOf(selector);
    const is = known.get(key) ?? [...globs, ...kinds.flatMap((kind) => kind.globs)].some((glob) => glob.test(tool));
    known.set(key, is);
    return is;
  };
  const isOneOf: Compiled['isOneOf'] = (tool, selectors) =>
    typeof selectors === 'string' ? isOf(tool, selectors) : selectors.some((selector) => isOf(tool, selector));
  const isCallOf = (call: Call, selector: string) => {
    const { globs, kinds } = entriesOf(selector);
    if (!isOf(call.tool, selector)) return false;
    return (
      kinds.length === 0 ||
      globs.some((glob) => glob.test(call.tool)) ||
      kinds.some(
        ({ globs: own, kind: { args = {}, result } }) =>
          own.some((glob) => glob.test(call.tool)) &&
          argsHold(args, call) &&
          (result === undefined || resultHolds(result, call)),
      )
    );
  };
  const argsHold: Compiled['argsHold'] = (conditions, { args, input }, comesFrom) => {
    const given = args ?? (input === undefined ? undefined : textOf(input)); // what is no JSON has no arguments by name
    return Object.entries(conditions).every(([name, condition]) => argHolds(given, name, condition, comesFrom));
  };
  const resultHolds: Compiled['resultHolds'] = ({ error, ...condition }, call) =>
    call.result !== undefined && (error === undefined || failed(call) === error) && holds(condition, call.result.text);
  const looks = new WeakMap<CallResult, boolean>();
  const failed: Compiled['failed'] = ({ result }) => {
    if (result === undefined) return false;
    const is = result.isError ?? looks.get(result) ?? find(['errors'], errorExcerpt(result.text)).length > 0;
    looks.set(result, is);
    return is;
  };
  const specs = Object.entries(policy.tools ?? {});
  const lists = new Map(
    Object.entries({ ...COMMON_WORDS, ...policy.words }).map(([name, list]) => [name, matcherOf(list)]),
  );
  const listOf = (name: string): Matcher =>
    lists.get(name) ??
    wrong(`words.${name}`, `unknown word list \`${name}\`; use one of ${[...lists.keys()].join(', ')}`);
  const find: Compiled['find'] = (names, text) => {
    const plainText = normalizedText(text);
    return names.flatMap((name) => listOf(name)(plainText)).sort((a, b) => a.at - b.at);
  };
  const holds: Compiled['holds'] = ({ matches, not_matches: not, ...patterns }, text) =>
    (matches === undefined || find(matches, text).length > 0) &&
    (not === undefined || find(not, text).length === 0) &&
    patternHolds(patterns, text, 'iu');
  return {
    policy,
    isOneOf,
    specOf: (tool) => (specs.find(([name]) => name === tool) ?? specs.find(([name]) => isOf(tool, name)))?.[1],
    find,
    is: (call, selectors) =>
      typeof selectors === 'string'
        ? isCallOf(call, selectors)
        : selectors.some((selector) => isCallOf(call, selector)),
    failed,
    argsHold,
    resultHolds,
    holds,
    intentOf(text, except = () => false) {
      const intents = (policy.intents ?? []).filter((intent) => !except(intent));
      const verbs = intents.flatMap((intent) =>
        find(intent.verbs ?? [], text).map(({ at, word }) => ({ intent, at, length: word.length })),
      );
      if (verbs.length > 0) return verbs.sort((a, b) => a.at - b.at || b.length - a.length)[0]!.intent;
      const scored = intents.map((intent) => ({
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

/** The expansion of a selector: names and globs, and calls with conditions. */
interface Entries {
  readonly globs: readonly Glob[];
  readonly kinds: readonly { readonly kind: CallKind; readonly globs: readonly Glob[] }[];
}

function entriesIn(list: readonly (string | CallKind)[]): Entries {
  return {
    globs: list.flatMap((entry) => (typeof entry === 'string' ? [globOf(entry)] : [])),
    kinds: list.flatMap((entry) =>
      typeof entry === 'string' ? [] : [{ kind: entry, globs: [entry.tool].flat().map(globOf) }],
    ),
  };
}

export function isKind(alias: readonly string[] | CallKind): alias is CallKind {
  return !Array.isArray(alias);
}

/**
 * What a selector stands for. An alias may name aliases, each of which is looked up once; one that names itself, by
 * itself or through
 * others, also stands for the tool of its own name.
 */
export function expanded(selector: string, { aliases = {} }: Policy): (string | CallKind)[] {
  const found = new Set<string | CallKind>();
  const states = new Map<string, 'open' | 'done'>();
  const ahead: { readonly name: string; readonly closes?: true }[] = [{ name: selector }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { name, closes } = next;
    const state = states.get(name);
    if (closes) states.set(name, 'done');
    else if (state === 'open' || !Object.hasOwn(aliases, name)) found.add(name);
    else if (state === undefined) {
      const alias = aliases[name]!;
      if (isKind(alias)) found.add(alias);
      states.set(name, 'open');
      ahead.push({ name, closes: true });
      if (!isKind(alias)) for (const inner of alias.toReversed()) ahead.push({ name: inner });
    }
  }
  return [...found];
}

/** The first pattern, reference or schema of a policy that no call can be judged by, with its path in the policy. */
export function faultIn({ words = {}, tools = {}, aliases = {}, rules }: Policy): Fault | undefined {
  for (const [name, { regex = [] }] of Object.entries(words))
    for (const [index, source] of regex.entries()) {
      const message = faultOfPattern(source, 'iu');
      if (message !== undefined) return { path: ['words', name, 'regex', index], message };
    }
  for (const [name, { args }] of Object.entries(tools)) {
    const fault = faultInSchema(args);
    if (fault !== undefined) return { ...fault, path: ['tools', name, 'args', ...fault.path] };
  }
  return faultOfSource(aliases) ?? faultInConditions(aliases, ['aliases']) ?? faultInConditions(rules, ['rules']);
}

/** An alias says what a call is, wherever it stands, so it cannot say where a value comes from. */
function faultOfSource(aliases: NonNullable<Policy['aliases']>): Fault | undefined {
  for (const [name, alias] of Object.entries(aliases))
    for (const [arg, condition] of Object.entries(isKind(alias) ? (alias.args ?? {}) : {}))
      for (const key of ['from', 'not_from'] as const)
        if (condition[key] !== undefined)
          return {
            path: ['aliases', name, 'args', arg, key],
            message: `an alias cannot say where a value comes from; put \`${key}\` into the \`args\` of a rule`,
          };
  return undefined;
}

/** What a policy holds as data, in which nothing is a condition: values to compare with. */
export const DATA: readonly PropertyKey[] = ['equals', 'schema', 'reference'];

/** All patterns and schemas in conditions. */
function faultInConditions(value: unknown, path: readonly PropertyKey[]): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const isPattern = (key === 'pattern' || key === 'not_pattern') && typeof inner === 'string';
    const message = isPattern ? faultOfPattern(inner, 'iu') : undefined;
    if (message !== undefined) return { path: at, message };
    const inSchema = key === 'schema' ? faultInSchema(inner) : undefined;
    if (inSchema !== undefined) return { ...inSchema, path: [...at, ...inSchema.path] };
    const fault = DATA.includes(key) ? undefined : faultInConditions(inner, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function wrong(path: string, message: string): never {
  throw new TranscriptError('config', `\`${path}\`: ${message}`, { path });
}
