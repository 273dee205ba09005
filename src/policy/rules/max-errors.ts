import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_errors',
  summary:
    'At most so many calls (of the tool) fail in a transcript (or a turn); with `in_a_row`, one behind the other. A call failed by the flag of its result, else by what the word list `errors` finds in it.',
  isOfResult: true,
  fields: (z, { selector, per }) => ({
    tool: selector.optional(),
    max: z.int().min(0),
    in_a_row: z.boolean().optional(),
    per,
  }),
  judges: () => [],
  narrows: ({ tool = '*' }) => [tool],
  *check({ tool = '*', max, in_a_row: inARow = false, per = 'transcript' }, scene) {
    for (const calls of scopes(scene.calls, per)) {
      const counted = calls.filter((call) => call.result !== undefined && scene.is(call, tool));
      let failures = 0;
      for (const call of counted) {
        const hasFailed = scene.failed(call);
        failures = hasFailed ? failures + 1 : inARow ? 0 : failures;
        yield hasFailed && failures > max
          ? {
              call,
              wrong: `\`${call.tool}\` is failure ${failures}${inARow ? ' in a row' : ''} in one ${per}, where at most ${max} may be`,
            }
          : { call };
      }
    }
  },
});
