/** What of a conversation a rule looks at: the calls that its conditions leave, and with `same_arg` those of each value by themselves. */
import { argumentAt, sameness } from './arguments.js';
import type { PolicyContext, RuleType } from './rules/rule.js';
import type { AnyRule, Call } from './types.js';

/** `about`: what its calls have in common, `path: src/a.ts`. */
export type Part = PolicyContext & { readonly about?: string };

export function scenesOf(rule: AnyRule, type: RuleType, scene: PolicyContext): readonly Part[] {
  const narrowed = { ...scene, calls: narrowedCalls(rule, type, scene) };
  return rule.same_arg === undefined ? [narrowed] : groupsOf(rule.same_arg, narrowed);
}

/** Without the calls that the rule would judge and that are not made as its conditions say. */
function narrowedCalls(
  rule: AnyRule,
  type: RuleType,
  { calls, is, argsHold, resultHolds }: PolicyContext,
): readonly Call[] {
  const { args, result } = rule;
  if (args === undefined && result === undefined) return calls;
  const judged = (type.narrows ?? type.judges)(rule as never);
  return calls.filter(
    (call) =>
      !is(call, judged) ||
      ((args === undefined || argsHold(args, call)) && (result === undefined || resultHolds(result, call))),
  );
}

/** A call without the argument is about nothing that others could be about: no group has it. */
function groupsOf(same: NonNullable<AnyRule['same_arg']>, scene: PolicyContext): readonly Part[] {
  const groups = new Map<string, { readonly about: string; readonly calls: Call[] }>();
  const names = typeof same === 'string' ? [['*', same] as const] : Object.entries(same);
  for (const call of scene.calls) {
    const name = names.find(([selector]) => scene.is(call, selector))?.[1];
    const value = name === undefined ? undefined : argumentAt(call.args, name);
    if (value === undefined) continue;
    const key = sameness(value);
    const group = groups.get(key) ?? { about: `${name}: ${shortened(key)}`, calls: [] };
    group.calls.push(call);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({ ...scene, ...group, turns: undefined }));
}

/** What a person reads of a long value. */
const SHOWN = 80;

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN)];
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN - 1).join('')}…`;
}
