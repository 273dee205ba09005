import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_calls',
  summary: 'At most so many calls of the tool in a transcript (or a turn): every one beyond is wrong.',
  fields: (z, { selector, per }) => ({ tool: selector, max: z.int().min(0), per }),
  judges: ({ tool }) => [tool],
  *check({ tool, max, per = 'transcript' }, scene) {
    for (const calls of scopes(scene.calls, per)) {
      const counted = calls.filter((call) => scene.is(call, tool));
      for (const [index, call] of counted.entries())
        yield index < max
          ? { call }
          : {
              call,
              wrong: `\`${call.tool}\` is call ${index + 1} of its kind in one ${per}, where at most ${max} may be`,
            };
    }
  },
});
