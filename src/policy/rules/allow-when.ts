import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'allow_when',
  summary:
    'A call of the tool is allowed only if the last user text matches: it has a word of a list in `matches` (if ' +
    'given), and no word of a list in `not_matches`.',
  judgesSingleCalls: true,
  fields: (_, { selector, text }) => ({ tool: selector, last_user: text }),
  judges: ({ tool }) => [tool],
  *check({ tool, last_user: condition }, context) {
    for (const call of context.calls) {
      if (!context.is(call, tool)) continue;
      yield context.holds(condition, call.lastUserText)
        ? { call }
        : {
            call,
            wrong:
              'the user text does not ask for ' +
              `\`${call.tool}\`${because(context.find(condition.not_matches ?? [], call.lastUserText))}`,
          };
    }
  },
});

function because(words: readonly { readonly word: string }[]): string {
  return words.length === 0 ? '' : `: it contains ${words.map(({ word }) => `"${word}"`).join(', ')}`;
}
