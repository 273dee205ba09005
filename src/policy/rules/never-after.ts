import { defineRuleType, firstAfter } from './rule.js';

export default defineRuleType({
  type: 'never_after',
  summary:
    'After a call of `trigger`, `forbidden` may not be called any more; with `within: n`, not in the next n messages of the model that call tools. In the very same message, whose calls have no order, it is a warning.',
  fields: (_, { selector, within }) => ({ trigger: selector, forbidden: selector, within }),
  judges: ({ forbidden }) => [forbidden],
  *check({ trigger, forbidden, within }, scene) {
    const triggers = scene.calls.filter((call) => scene.is(call, trigger));
    if (triggers.length === 0) return;
    for (const call of scene.calls) {
      if (!scene.is(call, forbidden)) continue;
      const at = within === undefined ? 0 : firstAfter(triggers, call.step - within - 1);
      const near = triggers[triggers[at] === call ? at + 1 : at]; // the earliest: they are in order
      if (near !== undefined && near.step < call.step)
        yield { call, wrong: `\`${call.tool}\` is called after \`${near.tool}\`` };
      else if (near?.step === call.step)
        yield {
          call,
          wrong: `\`${call.tool}\` is called in the same message as \`${near.tool}\`: which comes first is not said`,
          unsure: true,
        };
      else yield { call };
    }
  },
});
