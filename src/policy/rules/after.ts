import { defineRuleType, firstAfter } from './rule.js';

export default defineRuleType({
  type: 'after',
  summary:
    'After a call of `trigger`, `then` has to be called, in a later message of the model; with `within: n`, in one of the next n that call tools. Where it is called only in the very same message, whose calls have no order, that is a warning.',
  fields: (_, { selector, within }) => ({ trigger: selector, then: selector, within }),
  judges: ({ trigger }) => [trigger],
  *check({ trigger, then, within }, scene) {
    const followers = scene.calls.filter((call) => scene.is(call, then));
    for (const call of scene.calls) {
      if (!scene.is(call, trigger)) continue;
      const end = within === undefined ? followers.length : firstAfter(followers, call.step + within);
      const last = followers[followers[end - 1] === call ? end - 2 : end - 1];
      if (last !== undefined && last.step > call.step) yield { call };
      else if (last?.step === call.step)
        yield {
          call,
          wrong: `\`${then}\` is called in the same message as \`${call.tool}\`: which comes first is not said`,
          unsure: true,
        };
      else
        yield {
          call,
          wrong: `\`${call.tool}\` is called, and \`${then}\` is not after it${within === undefined ? '' : ` within ${within} ${within === 1 ? 'step' : 'steps'}`}`,
        };
    }
  },
});
