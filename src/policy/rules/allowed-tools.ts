import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'allowed_tools',
  summary: 'Only these tools may be called: names, globs or aliases.',
  isOfCall: true,
  fields: (_, { selectors }) => ({ tools: selectors }),
  judges: () => ['*'],
  *check({ tools }, scene) {
    for (const call of scene.calls)
      yield scene.is(call, tools)
        ? { call }
        : { call, wrong: `\`${call.tool}\` is none of the tools that may be called: ${tools.join(', ')}` };
  },
});
