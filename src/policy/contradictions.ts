/** Rules of a policy that contradict each other. */
import type { Fault } from './schema-faults.js';
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
  const always = rules.filter(isUnconditional);
  return always.flatMap((placed, index) =>
    always
      .slice(index + 1)
      .flatMap((other) => conflict(placed.rule, other.rule, policy) ?? conflict(other.rule, placed.rule, policy) ?? [])
      .map((message) => ({ path: placed.path, message })),
  );
}

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
