import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'denied_tools',
  summary: 'None of these tools may be called: names, globs or aliases.',
  isOfCall: true,
  fields: (_, { selectors }) => ({ tools: selectors }),
  judges: ({ tools }) => tools,
  *check({ tools }, scene) {
    for (const call of scene.calls)
      yield scene.is(call, tools) ? { call, wrong: `\`${call.tool}\` may not be called` } : { call };
  },
});
