import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'allowed_tools',
  summary: 'Only these tools may be called: names, globs or aliases.',
  judgesSingleCalls: true,
  fields: (_, { selectors }) => ({ tools: selectors }),
  judges: () => ['*'],
  *check({ tools }, context) {
    for (const call of context.calls)
      yield context.is(call, tools)
        ? { call }
        : { call, wrong: `\`${call.tool}\` is not one of the allowed tools: ${tools.join(', ')}` };
  },
});
