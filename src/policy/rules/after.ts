import { defineRuleType, firstAfter } from './rule.js';

export default defineRuleType({
  type: 'after',
  summary:
    'After a call of `trigger`, `then` must be called in a later assistant message; with `within: n`, in one of ' +
    'the next n messages with tool calls. A call in the same message is a warning, because calls of one message ' +
    'have no order.',
  judgesLaterCalls: true,
  fields: (_, { selector, within }) => ({ trigger: selector, then: selector, within }),
  judges: ({ trigger }) => [trigger],
  *check({ trigger, then, within }, context) {
    const followers = context.calls.filter((call) => context.is(call, then));
    for (const call of context.calls) {
      if (!context.is(call, trigger)) continue;
      const end = within === undefined ? followers.length : firstAfter(followers, call.step + within);
      const last = followers[followers[end - 1] === call ? end - 2 : end - 1];
      if (last !== undefined && last.step > call.step) yield { call };
      else if (last?.step === call.step)
        yield {
          call,
          wrong: `\`${then}\` is called in the same message as \`${call.tool}\`, so their order is unknown`,
          unsure: true,
        };
      else
        yield {
          call,
          wrong:
            `\`${call.tool}\` is called, but \`${then}\` is not called after ` +
            `it${within === undefined ? '' : ` within ${within} ${within === 1 ? 'step' : 'steps'}`}`,
        };
    }
  },
});
