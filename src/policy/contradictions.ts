/** Rules of a policy that contradict each other. */

import type { Fault } from '../json-schema/faults.js';
import { listIn } from '../lists.js';
import { isName } from '../text/glob.js';
import { expanded } from './compiled.js';
import { covers, selectorsIn } from './selectors.js';
import type { AnyRule, Policy } from './types.js';

export interface Placed {
  readonly rule: AnyRule;
  readonly path: readonly PropertyKey[];
}

/** Rules without conditions. */
function isUnconditional({ rule }: Placed): boolean {
  return [rule.when, rule.args, rule.result, rule.same_arg].every((field) => field === undefined);
}

export function conflicts(rules: readonly Placed[], policy: Policy): Fault[] {
  return pairsOf(rules.filter(isUnconditional), policy).flatMap(([placed, other]) => {
    const message = conflict(placed.rule, other.rule, policy) ?? conflict(other.rule, placed.rule, policy);
    return message === undefined ? [] : [{ path: placed.path, message }];
  });
}

// --- which rules to compare: those that name the same tool, so that a long policy takes no longer a rule

/** Types of rules that can contradict each other. */
const OPPOSED: Readonly<Record<string, readonly string[]>> = {
  require: ['denied_tools', 'allowed_tools', 'max_calls', 'count'],
  count: ['denied_tools', 'allowed_tools', 'max_calls', 'count'],
  allowed_tools: ['denied_tools'],
  before: ['before', 'never_after'],
  after: ['never_after'],
};
/** The fields of these rules that name tools. */
const SELECTORS = ['tool', 'tools', 'first', 'then', 'trigger', 'forbidden'];

/** Pairs of rules in the order of the policy. */
function pairsOf(rules: readonly Placed[], policy: Policy): (readonly [Placed, Placed])[] {
  const places = new Map<string, number[]>(); // by the tool that a rule names
  const wide: number[] = []; // these concern tools that they do not name
  const names = rules.map(({ rule }, index) => {
    const own = namesIn(rule, policy);
    for (const name of own ?? []) listIn(places, name).push(index);
    if (own === undefined) wide.push(index);
    return own;
  });
  const everywhere = rules.map((_, index) => index);
  return rules.flatMap((placed, index) => {
    const own = names[index];
    const near = own === undefined ? everywhere : [...wide, ...own.flatMap((name) => places.get(name)!)];
    const later = new Set(near.filter((at) => at > index && areOpposed(placed.rule, rules[at]!.rule)));
    return [...later].sort((a, b) => a - b).map((at) => [placed, rules[at]!] as const);
  });
}

function areOpposed({ type: one }: AnyRule, { type: other }: AnyRule): boolean {
  return OPPOSED[one]?.includes(other) === true || OPPOSED[other]?.includes(one) === true;
}

/** The tools that a rule names; undefined where it concerns others, too. */
function namesIn(rule: AnyRule, policy: Policy): string[] | undefined {
  if (rule.type === 'allowed_tools') return undefined;
  const entries = SELECTORS.flatMap((field) => selectorsIn(rule[field])).flatMap((one) => expanded(one, policy));
  const names = entries.flatMap((entry) => (typeof entry === 'string' ? entry : entry.tool));
  return names.every(isName) ? [...new Set(names)] : undefined;
}

// --- what contradicts what

/** Why `one` contradicts `other`; undefined if it does not. The caller also asks the other way round. */
function conflict(one: AnyRule, other: AnyRule, policy: Policy): string | undefined {
  const covered = (outer: unknown, inner: unknown) =>
    selectorsIn(inner).every((selector) => selectorsIn(outer).some((whole) => covers(whole, selector, policy)));
  const least =
    one.type === 'require'
      ? Number(one['min'] ?? 1)
      : one.type === 'count'
        ? Number(one['exactly'] ?? one['min'] ?? 0)
        : 0;
  const against = (why: string) => `\`${one.id}\` and \`${other.id}\` contradict each other: ${why}`;
  if (least > 0 && other.type === 'denied_tools' && covered(other['tools'], one['tool']))
    return against(`\`${one['tool']}\` must be called and must not be called`);
  if (least > 0 && other.type === 'allowed_tools' && !overlaps(other['tools'], one['tool'], policy))
    return against(`\`${one['tool']}\` must be called, but is not one of the allowed tools`);
  const most =
    other.type === 'max_calls' ? other['max'] : other.type === 'count' ? (other['exactly'] ?? other['max']) : undefined;
  if (most !== undefined && least > Number(most) && other['per'] !== 'turn' && covered(other['tool'], one['tool']))
    return against(`at least ${least} calls of \`${one['tool']}\` are required, but at most ${most} are allowed`);
  if (one.type === 'allowed_tools' && other.type === 'denied_tools') {
    const both = selectorsIn(one['tools']).filter((tool) => covered(other['tools'], tool));
    if (both.length > 0) return against(`\`${both[0]}\` is allowed and denied`);
  }
  if (one.type === 'before' && other.type === 'before' && one.id < other.id)
    return covered(one['first'], other['then']) && covered(other['first'], one['then'])
      ? against('each must come before the other')
      : undefined;
  if (one.type === 'before' && other.type === 'never_after')
    return covered(other['trigger'], one['first']) &&
      covered(other['forbidden'], one['then']) &&
      other['within'] === undefined
      ? against(`\`${one['then']}\` needs \`${one['first']}\` before it, but must not come after it`)
      : undefined;
  if (one.type === 'after' && other.type === 'never_after')
    return covered(other['trigger'], one['trigger']) && covered(other['forbidden'], one['then'])
      ? against(`\`${one['then']}\` must come after \`${one['trigger']}\`, and must not`)
      : undefined;
  return undefined;
}

function overlaps(some: unknown, others: unknown, policy: Policy): boolean {
  return selectorsIn(some).some((a) => selectorsIn(others).some((b) => covers(a, b, policy) || covers(b, a, policy)));
}
