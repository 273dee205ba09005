import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'intent',
  summary:
    "If the last user text has an intent of the policy's `intents` (of several, the one whose verb comes first, " +
    'else the one with the longest word), the tool of that intent must be used: a call of another tool of ' +
    '`intents` is reported, unless the right tool is called in the same turn too. `tool` limits which calls are ' +
    'checked.',
  judgesSingleCalls: true,
  fields: (_, { selector }) => ({ tool: selector.optional() }),
  judges: ({ tool }) => (tool === undefined ? [] : [tool]),
  narrows: ({ tool = '*' }) => [tool],
  *check({ tool }, context) {
    const table = (context.policy.intents ?? []).map((intent) => intent.tool);
    for (const call of context.calls) {
      if (!context.is(call, tool ?? table)) continue;
      const meant = context.intentOf(call.lastUserText);
      if (meant === undefined) continue;
      const isMet = context.calls.some((other) => other.turn === call.turn && context.is(other, meant.tool));
      yield isMet
        ? { call }
        : {
            call,
            wrong: `the user asks for ${meant.intent}: that is for \`${meant.tool}\`, not for \`${call.tool}\``,
            instead: [meant.tool],
          };
    }
  },
});
