/** Narrows a conversation to the calls that a rule checks, grouped by value with `same_arg`. */
import { argumentAt, type ComesFrom, comparisonKey } from './arguments.js';
import type { PolicyContext, RuleType } from './rules/rule.js';
import type { AnyRule, Call } from './types.js';

/** `about`: what its calls have in common, `path: src/a.ts`. */
export type Part = PolicyContext & { readonly about?: string };

export function contextsOf(rule: AnyRule, type: RuleType, context: PolicyContext): readonly Part[] {
  const narrowed = { ...context, calls: narrowedCalls(rule, type, context) };
  return rule.same_arg === undefined ? [narrowed] : groupsOf(rule.same_arg, narrowed);
}

/** Without the calls that the rule would judge and that are not made as its conditions say. */
function narrowedCalls(
  rule: AnyRule,
  type: RuleType,
  { calls, userTexts = [], is, argsHold, resultHolds }: PolicyContext,
): readonly Call[] {
  const { args, result } = rule;
  if (args === undefined && result === undefined) return calls;
  const judged = (type.narrows ?? type.judges)(rule as never);
  return calls.filter(
    (call) =>
      !is(call, judged) ||
      ((args === undefined || argsHold(args, call, sourcesOf(call, calls, userTexts))) &&
        (result === undefined || resultHolds(result, call))),
  );
}

/** Earlier results are those of earlier steps: calls of one message are made before any of them is answered. */
function sourcesOf(call: Call, calls: readonly Call[], userTexts: readonly string[]): ComesFrom {
  return (value, source) => {
    if (value === '') return true; // nothing that could be made up
    const inResult = () =>
      calls.some(({ step, result }) => step < call.step && result !== undefined && result.text.includes(value));
    const inUser = () => userTexts.slice(0, call.turn).some((text) => text.includes(value));
    return (source !== 'user' && inResult()) || (source !== 'result' && inUser());
  };
}

/** Calls without the argument are in no group. */
function groupsOf(same: NonNullable<AnyRule['same_arg']>, context: PolicyContext): readonly Part[] {
  const groups = new Map<string, { readonly about: string; readonly calls: Call[] }>();
  const names = typeof same === 'string' ? [['*', same] as const] : Object.entries(same);
  for (const call of context.calls) {
    const name = names.find(([selector]) => context.is(call, selector))?.[1];
    const value = name === undefined ? undefined : argumentAt(call.args, name);
    if (value === undefined) continue;
    const key = comparisonKey(value);
    const group = groups.get(key) ?? { about: `${name}: ${shortened(key)}`, calls: [] };
    group.calls.push(call);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({ ...context, ...group, turns: undefined }));
}

/** The maximum length of a value in texts. */
const SHOWN = 80;

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN)];
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN - 1).join('')}…`;
}
