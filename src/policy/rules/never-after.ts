import { defineRuleType, firstAfter } from './rule.js';

export default defineRuleType({
  type: 'never_after',
  summary:
    'After a call of `trigger`, `forbidden` must not be called; with `within: n`, not in the next n assistant ' +
    'messages with tool calls. A call in the same message is a warning, because calls of one message have no ' +
    'order.',
  fields: (_, { selector, within }) => ({ trigger: selector, forbidden: selector, within }),
  judges: ({ forbidden }) => [forbidden],
  *check({ trigger, forbidden, within }, context) {
    const triggers = context.calls.filter((call) => context.is(call, trigger));
    if (triggers.length === 0) return;
    for (const call of context.calls) {
      if (!context.is(call, forbidden)) continue;
      const at = within === undefined ? 0 : firstAfter(triggers, call.step - within - 1);
      const near = triggers[triggers[at] === call ? at + 1 : at]; // the earliest: they are in order
      if (near !== undefined && near.step < call.step)
        yield { call, wrong: `\`${call.tool}\` is called after \`${near.tool}\`` };
      else if (near?.step === call.step)
        yield {
          call,
          wrong: `\`${call.tool}\` is called in the same message as \`${near.tool}\`, so their order is unknown`,
          unsure: true,
        };
      else yield { call };
    }
  },
});
