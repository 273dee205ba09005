import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'allow_when',
  summary:
    'A call of the tool is right only where what the user said last matches: one of the lists in `matches` has a word in it (if there is `matches`), and none of those in `not_matches`.',
  isOfCall: true,
  fields: (_, { selector, text }) => ({ tool: selector, last_user: text }),
  judges: ({ tool }) => [tool],
  *check({ tool, last_user: condition }, scene) {
    for (const call of scene.calls) {
      if (!scene.is(call, tool)) continue;
      yield scene.holds(condition, call.said)
        ? { call }
        : {
            call,
            wrong: `what the user said does not ask for \`${call.tool}\`${because(scene.find(condition.not_matches ?? [], call.said))}`,
          };
    }
  },
});

function because(words: readonly { readonly word: string }[]): string {
  return words.length === 0 ? '' : `: it has ${words.map(({ word }) => `"${word}"`).join(', ')}`;
}
