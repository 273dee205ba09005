import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'deny_when',
  summary:
    'A call of the tool is denied if the last user text matches: it has a word of a list in `matches` (if ' +
    'given), and no word of a list in `not_matches`.',
  judgesSingleCalls: true,
  fields: (_, { selector, text }) => ({ tool: selector, last_user: text }),
  judges: ({ tool }) => [tool],
  *check({ tool, last_user: condition }, context) {
    for (const call of context.calls) {
      if (!context.is(call, tool)) continue;
      const words = context.find(condition.matches ?? [], call.lastUserText).map(({ word }) => `"${word}"`);
      yield context.holds(condition, call.lastUserText)
        ? {
            call,
            wrong: `the user text speaks against \`${call.tool}\`${words.length === 0 ? '' : `: ${words.join(', ')}`}`,
          }
        : { call };
    }
  },
});
