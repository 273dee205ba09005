import { callKey } from '../../json/canonical.js';
import { globOf } from '../../text/glob.js';
import { inputOf } from '../conversation.js';
import type { Call } from '../types.js';
import { defineRuleType, firstAfter, scopes } from './rule.js';

export default defineRuleType({
  type: 'no_repeat',
  summary:
    'At most `max` calls (default 1) of the tool with the same arguments; the order of members and the spelling ' +
    'of numbers and strings do not matter. Arguments whose names match `ignore_args` are ignored. `unless` ' +
    'allows a repeat if the call before it failed (`previous_error`: by its error flag, else by the word list ' +
    '`errors`), if one of `mutators` was called since (`state_changed`; in the same message as either call, the ' +
    'repeat is a warning), or if its result differs (`result_differs`).',
  fields: (z, { selector, selectors, per }) => ({
    tool: selector,
    max: z.int().min(1).optional(),
    per,
    ignore_args: selectors.optional(),
    unless: z.array(z.enum(['previous_error', 'state_changed', 'result_differs'])).optional(),
    mutators: selectors.optional().describe('tools that change the state'),
  }),
  judges: ({ tool }) => [tool],
  *check({ tool, max = 1, per = 'transcript', ignore_args: ignored = [], unless = [], mutators = [] }, context) {
    const patterns = ignored.map(globOf);
    const changes = context.calls.filter((call) => context.is(call, mutators));
    const excused = (call: Call, before: Call): 'yes' | 'no' | 'maybe' => {
      if (unless.includes('previous_error') && context.failed(before)) return 'yes';
      if (unless.includes('result_differs') && call.result !== undefined && call.result.text !== before.result?.text)
        return 'yes';
      if (!unless.includes('state_changed')) return 'no';
      const next = changes[firstAfter(changes, before.step)];
      if (next !== undefined && next.step < call.step) return 'yes';
      const isBeside = (at: Call) => [...stepOf(changes, at.step)].some((other) => other !== call && other !== before);
      return isBeside(before) || isBeside(call) ? 'maybe' : 'no';
    };
    for (const calls of scopes(context.calls, per)) {
      const seen = new Map<string, { readonly last: Call; readonly count: number }>();
      for (const call of calls) {
        if (!context.is(call, tool)) continue;
        const key = callKey({ tool: call.tool, input: inputOf(call) }, (name) =>
          patterns.some((pattern) => pattern.test(name)),
        );
        const before = seen.get(key);
        const excuse = before === undefined ? 'no' : excused(call, before.last);
        const count = (excuse === 'yes' ? 0 : (before?.count ?? 0)) + 1;
        seen.set(key, { last: call, count });
        if (count <= max) yield { call };
        else
          yield {
            call,
            wrong: `\`${call.tool}\` is called with the same arguments for the ${ordinal(count)} time`,
            unsure: excuse === 'maybe',
          };
      }
    }
  },
});

function* stepOf(calls: readonly Call[], step: number): Generator<Call, void, void> {
  for (let at = firstAfter(calls, step - 1); calls[at]?.step === step; at++) yield calls[at]!;
}

function ordinal(count: number): string {
  return count === 2 ? 'second' : count === 3 ? 'third' : `${count}th`;
}
