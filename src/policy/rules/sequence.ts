import type { Call } from '../types.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'sequence',
  summary:
    'If one of the tools is called, all of them must be called in this order: `in_order` allows other calls ' +
    'between them, `exact` allows no other calls in the transcript. Calls of one message have no order: a ' +
    'sequence that depends on the order within a message is a warning.',
  judgesLaterCalls: true,
  fields: (z, { selectors }) => ({ tools: selectors.min(2), mode: z.enum(['in_order', 'exact']).optional() }),
  judges: ({ tools }) => tools,
  *check({ tools, mode = 'in_order' }, context) {
    const listed = context.calls.filter((call) => context.is(call, tools));
    if (listed.length === 0) return;
    if (mode === 'exact') {
      const matches = (order: readonly Call[]) =>
        order.length === tools.length && tools.every((selector, index) => context.is(order[index]!, selector));
      const sorted = [...context.calls].sort(
        (a, b) => a.step - b.step || entryOf(a, tools, context) - entryOf(b, tools, context),
      );
      if (matches(context.calls) && isStrict(context.calls)) yield* listed.map((call) => ({ call }));
      else if (matches(sorted))
        yield {
          call: listed[0],
          wrong: `${named(tools)}: some are called in the same message, so their order is unknown`,
          unsure: true,
        };
      else
        yield {
          call:
            context.calls.find((call, index) => tools[index] === undefined || !context.is(call, tools[index])) ??
            context.calls.at(-1),
          wrong:
            `the calls are not ${named(tools)} and nothing else: ` +
            `${shortened(context.calls.map(({ tool }) => tool))}`,
        };
      return;
    }
    const taken: Call[] = [];
    for (const selector of tools) {
      const last = taken.at(-1);
      const next = (isLater: (call: Call) => boolean) =>
        listed.find((call) => !taken.includes(call) && isLater(call) && context.is(call, selector));
      const found =
        last === undefined
          ? next(() => true)
          : (next(({ step }) => step > last.step) ?? next(({ step }) => step === last.step));
      if (found === undefined) {
        const early = listed.find((call) => context.is(call, selector));
        yield {
          call: early ?? last,
          wrong:
            early === undefined
              ? `\`${selector}\` is never called, but belongs to ${named(tools)}`
              : `\`${early.tool}\` is called too early: the order is ${named(tools)}`,
        };
        return;
      }
      taken.push(found);
    }
    if (isStrict(taken)) yield* taken.map((call) => ({ call }));
    else
      yield {
        call: taken.find(({ step }, index) => step === taken[index - 1]?.step),
        wrong: `${named(tools)}: some are called only in the same message, so their order is unknown`,
        unsure: true,
      };
  },
});

function isStrict(calls: readonly Call[]): boolean {
  return calls.every(({ step }, index) => index === 0 || step > calls[index - 1]!.step);
}

function entryOf(call: Call, tools: readonly string[], { is }: { is(call: Call, selector: string): boolean }): number {
  return tools.findIndex((selector) => is(call, selector));
}

function named(tools: readonly string[]): string {
  return tools.map((tool) => `\`${tool}\``).join(' → ');
}

const SHOWN = 6;

function shortened(tools: readonly string[]): string {
  return tools.length <= SHOWN
    ? tools.join(', ')
    : `${tools.slice(0, SHOWN).join(', ')} and ${tools.length - SHOWN} more`;
}
