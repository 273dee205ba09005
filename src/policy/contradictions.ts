/** Rules of a policy that contradict each other. */

import { table } from '../formats/shared/table.js';
import type { Fault } from '../json-schema/faults.js';
import { listIn } from '../lists.js';
import { isName } from '../text/glob.js';
import { grouped } from '../text/words.js';
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

/** So many pairs of rules are compared: where globs overlap, each rule may meet every other. */
const MOST_PAIRS = 100_000;

export function conflicts(rules: readonly Placed[], policy: Policy): Fault[] {
  const faults: Fault[] = [];
  let compared = 0;
  for (const [placed, other] of pairsOf(rules.filter(isUnconditional), policy)) {
    if (compared++ === MOST_PAIRS) {
      const message = `the first ${grouped(MOST_PAIRS)} pairs of rules were compared, up to this one; split the policy`;
      return [...faults, { path: placed.path, message }];
    }
    const message = conflict(placed.rule, other.rule, policy) ?? conflict(other.rule, placed.rule, policy);
    if (message !== undefined) faults.push({ path: placed.path, message });
  }
  return faults;
}

// --- which rules to compare: those that name the same tool, so that a long policy takes no longer a rule

/** Types of rules that can contradict each other. */
const OPPOSED = table<readonly string[]>({
  require: ['denied_tools', 'allowed_tools', 'max_calls', 'count'],
  count: ['denied_tools', 'allowed_tools', 'max_calls', 'count'],
  allowed_tools: ['denied_tools'],
  before: ['before', 'never_after'],
  after: ['never_after'],
});
/** The fields of these rules that name tools. */
const SELECTORS = ['tool', 'tools', 'first', 'then', 'trigger', 'forbidden'];

/** Pairs of rules in the order of the policy. */
function* pairsOf(rules: readonly Placed[], policy: Policy): Generator<readonly [Placed, Placed]> {
  const places = new Map<string, number[]>(); // by type, and by the tool that a rule names
  const names = rules.map(({ rule }, index) => {
    const own = namesIn(rule, policy);
    for (const name of own ?? [WIDE]) listIn(places, `${rule.type} ${name}`).push(index);
    listIn(places, `${rule.type} ${ALL}`).push(index);
    return own;
  });
  for (const [index, placed] of rules.entries()) {
    const own = names[index];
    const near = (own === undefined ? [ALL] : [WIDE, ...own]).flatMap((name) =>
      opposedTo(placed.rule.type).flatMap((type) => after(places.get(`${type} ${name}`) ?? [], index)),
    );
    for (const at of [...new Set(near)].sort((a, b) => a - b)) yield [placed, rules[at]!];
  }
}

/** In place of a name: rules that concern tools that they do not name, and rules of every tool. */
const [WIDE, ALL] = ['', '*'];

function opposedTo(type: string): string[] {
  const back = Object.keys(OPPOSED).filter((other) => OPPOSED[other]!.includes(type));
  return [...new Set([...(OPPOSED[type] ?? []), ...back])];
}

/** The places behind one, at most as many as are compared. */
function after(places: readonly number[], index: number): readonly number[] {
  const first = places.findIndex((at) => at > index);
  return first < 0 ? [] : places.slice(first, first + MOST_PAIRS);
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
