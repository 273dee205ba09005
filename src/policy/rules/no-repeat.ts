import { callKey } from '../../json/canonical.js';
import { globOf } from '../../text/glob.js';
import { inputOf } from '../conversation.js';
import type { Call } from '../types.js';
import { defineRuleType, firstAfter, scopes } from './rule.js';

export default defineRuleType({
  type: 'no_repeat',
  summary:
    'At most `max` calls (1) of the tool with the same arguments: in whatever order the members stand, and however numbers and texts are spelled. Arguments whose names match `ignore_args` do not count. A repeat is no fault where `unless` names its excuse: the call before it failed (`previous_error`: by the flag of its result, else by what the word list `errors` finds in it), one of `mutators` was called since (`state_changed`; in the same message as one of both, the repeat is a warning), or it gave something else (`result_differs`).',
  fields: (z, { selector, selectors, per }) => ({
    tool: selector,
    max: z.int().min(1).optional(),
    per,
    ignore_args: selectors.optional(),
    unless: z.array(z.enum(['previous_error', 'state_changed', 'result_differs'])).optional(),
    mutators: selectors.optional().describe('tools whose call changes the state'),
  }),
  judges: ({ tool }) => [tool],
  *check({ tool, max = 1, per = 'transcript', ignore_args: ignored = [], unless = [], mutators = [] }, scene) {
    const patterns = ignored.map(globOf);
    const changes = scene.calls.filter((call) => scene.is(call, mutators));
    const excused = (call: Call, before: Call): 'yes' | 'no' | 'maybe' => {
      if (unless.includes('previous_error') && scene.failed(before)) return 'yes';
      if (unless.includes('result_differs') && call.result !== undefined && call.result.text !== before.result?.text)
        return 'yes';
      if (!unless.includes('state_changed')) return 'no';
      const next = changes[firstAfter(changes, before.step)];
      if (next !== undefined && next.step < call.step) return 'yes';
      const isBeside = (at: Call) => [...stepOf(changes, at.step)].some((other) => other !== call && other !== before);
      return isBeside(before) || isBeside(call) ? 'maybe' : 'no';
    };
    for (const calls of scopes(scene.calls, per)) {
      const seen = new Map<string, { readonly last: Call; readonly count: number }>();
      for (const call of calls) {
        if (!scene.is(call, tool)) continue;
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
