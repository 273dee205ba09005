import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'intent',
  summary:
    "Where what the user said has an intent of the policy's table `intents` (of several, the one whose verb comes first, else the one with the longest word), the tool of that intent is the one to use: a call of another tool of the table is wrong, unless the right one is called in the same turn too. `tool` narrows which calls are looked at.",
  isOfCall: true,
  fields: (_, { selector }) => ({ tool: selector.optional() }),
  judges: ({ tool }) => (tool === undefined ? [] : [tool]),
  narrows: ({ tool = '*' }) => [tool],
  *check({ tool }, scene) {
    const table = (scene.policy.intents ?? []).map((intent) => intent.tool);
    for (const call of scene.calls) {
      if (!scene.is(call, tool ?? table)) continue;
      const meant = scene.intentOf(call.said);
      if (meant === undefined) continue;
      const isMet = scene.calls.some((other) => other.turn === call.turn && scene.is(other, meant.tool));
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
