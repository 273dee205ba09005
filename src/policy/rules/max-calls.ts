import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_calls',
  summary: 'The maximum number of calls of the tool in a transcript (or turn): every further call is reported.',
  fields: (z, { selector, per }) => ({ tool: selector, max: z.int().min(0), per }),
  judges: ({ tool }) => [tool],
  *check({ tool, max, per = 'transcript' }, context) {
    for (const calls of scopes(context.calls, per)) {
      const counted = calls.filter((call) => context.is(call, tool));
      for (const [index, call] of counted.entries())
        yield index < max
          ? { call }
          : {
              call,
              wrong:
                `\`${call.tool}\` is call ${index + 1} of its kind in one ${per}, where at most ${max} are ` +
                'allowed',
            };
    }
  },
});
