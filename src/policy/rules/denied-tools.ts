import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'denied_tools',
  summary: 'None of these tools may be called: names, globs or aliases.',
  judgesSingleCalls: true,
  fields: (_, { selectors }) => ({ tools: selectors }),
  judges: ({ tools }) => tools,
  *check({ tools }, context) {
    for (const call of context.calls)
      yield context.is(call, tools) ? { call, wrong: `\`${call.tool}\` must not be called` } : { call };
  },
});
