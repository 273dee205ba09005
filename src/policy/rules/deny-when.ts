import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'deny_when',
  summary:
    'A call of the tool is wrong where what the user said last matches: one of the lists in `matches` has a word in it (if there is `matches`), and none of those in `not_matches`.',
  isOfCall: true,
  fields: (_, { selector, text }) => ({ tool: selector, last_user: text }),
  judges: ({ tool }) => [tool],
  *check({ tool, last_user: condition }, scene) {
    for (const call of scene.calls) {
      if (!scene.is(call, tool)) continue;
      const words = scene.find(condition.matches ?? [], call.said).map(({ word }) => `"${word}"`);
      yield scene.holds(condition, call.said)
        ? {
            call,
            wrong: `what the user said speaks against \`${call.tool}\`${words.length === 0 ? '' : `: ${words.join(', ')}`}`,
          }
        : { call };
    }
  },
});
