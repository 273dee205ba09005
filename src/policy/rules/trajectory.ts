import { canonicalValue } from '../../json/canonical.js';
import type { Zod } from '../fields.js';
import type { Call } from '../types.js';
import { defineRuleType, type PolicyContext, stepsOf } from './rule.js';

export default defineRuleType({
  type: 'trajectory',
  summary:
    'Compares the calls of a transcript with a `reference`. `strict`: exactly these calls in this order; ' +
    '`unordered`: exactly these calls in any order; `superset`: at least these calls in any order; `in_order`: ' +
    'at least these calls in this order; `subset`: only these calls (with `counted`, each at most once). ' +
    '`compare_args` compares all arguments ' +
    '(`exact`), only those of the reference (`partial`), or none (`ignored`). Calls of one message have no ' +
    'order.',
  fields: (z, { selector }) => ({
    reference: z
      .array(
        z.union([selector, z.strictObject({ tool: selector, args: z.record(z.string(), z.unknown()).optional() })]),
      )
      .describe('the expected calls: a tool name (arguments are ignored), or a tool with arguments'),
    mode: z.enum(['strict', 'unordered', 'superset', 'in_order', 'subset']).optional(),
    compare_args: z
      .union([comparisons(z), z.record(z.string(), comparisons(z))])
      .optional()
      .describe('for all tools, or by tool (a name, a glob or an alias; the others are compared exactly)'),
    counted: z.boolean().optional().describe('with `subset`: each call of the reference may be made only once'),
  }),
  judges: () => [],
  narrows: () => ['*'],
  *check({ reference, mode = 'strict', compare_args: compare = 'exact', counted = false }, context) {
    const expected = reference.map((entry) => (typeof entry === 'string' ? { tool: entry } : entry));
    const { missing, spare } = matched(
      expected.map((entry) => fits(entry, compare, context)),
      context.calls,
      counted && mode === 'subset' ? 'unordered' : mode,
    );
    const isShort = missing !== undefined && mode !== 'subset';
    const isLong = spare !== undefined && mode !== 'superset' && mode !== 'in_order';
    if (isShort && isLong && mode === 'strict')
      yield {
        call: spare,
        wrong:
          `\`${spare.tool}\` is called where the reference has ${shown(expected[missing]!)}, call ${missing + 1} ` +
          'of it',
      };
    else if (isShort)
      yield {
        call: undefined,
        wrong:
          `${shown(expected[missing]!)}, call ${missing + 1} of the reference, is ` +
          `missing${mode === 'in_order' ? ' at its position' : ''}`,
      };
    else if (isLong) yield { call: spare, wrong: `\`${spare.tool}\` is not one of the calls of the reference` };
    else yield { call: undefined };
  },
});

type Comparison = 'exact' | 'partial' | 'ignored';

const comparisons = (z: Zod) => z.enum(['exact', 'partial', 'ignored']);

interface Expected {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

type Fits = (call: Call) => boolean;

function fits(
  { tool, args }: Expected,
  comparison: Comparison | Readonly<Record<string, Comparison>>,
  { is, isOneOf }: PolicyContext,
): Fits {
  const compare =
    typeof comparison === 'string'
      ? comparison
      : (Object.entries(comparison).find(([selector]) => selector === tool || isOneOf(tool, selector))?.[1] ?? 'exact');
  const whole = canonicalValue(args);
  const parts = Object.entries(args ?? {}).map(([name, value]) => [name, canonicalValue(value)] as const);
  return (call) => {
    if (!is(call, tool)) return false;
    if (args === undefined || compare === 'ignored') return true;
    if (compare === 'exact') return canonicalValue(call.args) === whole;
    const own = call.args as Readonly<Record<string, unknown>> | null | undefined;
    return parts.every(
      ([name, value]) =>
        typeof own === 'object' && own !== null && Object.hasOwn(own, name) && canonicalValue(own[name]) === value,
    );
  };
}

interface Match {
  /** The first expected call that none is, by index. */
  readonly missing: number | undefined;
  /** The first call that is none of those expected. */
  readonly spare: Call | undefined;
}

function matched(expected: readonly Fits[], calls: readonly Call[], mode: string): Match {
  if (mode === 'subset')
    return { missing: undefined, spare: calls.find((call) => !expected.some((isIt) => isIt(call))) };
  const pairs =
    mode === 'strict' || mode === 'in_order'
      ? inOrder(expected, calls, mode === 'strict')
      : inAnyOrder(expected, calls);
  const taken = new Set(pairs);
  const missing = pairs.indexOf(undefined);
  return { missing: missing < 0 ? undefined : missing, spare: calls.find((call) => !taken.has(call)) };
}

/**
 * The call that each expected one is, one after the other; calls of one step in the order in which they are expected.
 */
function inOrder(expected: readonly Fits[], calls: readonly Call[], isStrict: boolean): (Call | undefined)[] {
  const steps = stepsOf(calls);
  const found: (Call | undefined)[] = [];
  let open: Call[] = [];
  let next = 0;
  for (const isIt of expected) {
    let at = open.findIndex(isIt);
    while (at < 0 && next < steps.length && !(isStrict && open.length > 0)) {
      open = [...steps[next++]!];
      at = open.findIndex(isIt);
      if (isStrict) break;
    }
    found.push(at < 0 ? undefined : open.splice(at, 1)[0]);
    if (at < 0) break;
  }
  return [...found, ...expected.slice(found.length).map(() => undefined)];
}

/**
 * As many of the expected calls as can be had at once: of several that a call could be, it gives way to one that has
 * no other.
 */
function inAnyOrder(expected: readonly Fits[], calls: readonly Call[]): (Call | undefined)[] {
  const found: (Call | undefined)[] = expected.map(() => undefined);
  const owner = new Map<Call, number>();
  for (const start of expected.keys()) {
    const from = new Map<Call, number>(); // by which expected call each was reached
    let end: Call | undefined;
    const queue = [start];
    for (let next = 0; next < queue.length && end === undefined; next++) {
      const at = queue[next]!;
      for (const call of calls) {
        if (from.has(call) || !expected[at]!(call)) continue;
        from.set(call, at);
        const other = owner.get(call);
        if (other === undefined) {
          end = call;
          break;
        }
        queue.push(other);
      }
    }
    while (end !== undefined) {
      const at: number = from.get(end)!;
      const before: Call | undefined = found[at];
      found[at] = end;
      owner.set(end, at);
      end = at === start ? undefined : before;
    }
  }
  return found;
}

function shown({ tool, args }: Expected): string {
  return `\`${tool}\`${args === undefined ? '' : ` with ${JSON.stringify(args)}`}`;
}
