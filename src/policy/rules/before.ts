import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'before',
  summary:
    'Before a call of `then`, `first` has to be called, in an earlier message of the model of the same transcript (or turn). Where it is called only in the very same message, whose calls have no order, that is a warning.',
  fields: (_, { selector, per }) => ({ first: selector, then: selector, scope: per }),
  judges: ({ then }) => [then],
  *check({ first, then, scope = 'transcript' }, scene) {
    for (const calls of scopes(scene.calls, scope)) {
      const firsts = calls.filter((call) => scene.is(call, first));
      for (const call of calls) {
        if (!scene.is(call, then)) continue;
        const other = firsts.find((candidate) => candidate !== call); // the earliest: they are in order
        if (other !== undefined && other.step < call.step) yield { call };
        else if (other?.step === call.step)
          yield {
            call,
            wrong: `\`${first}\` is called in the same message as \`${call.tool}\`: which comes first is not said`,
            unsure: true,
          };
        else
          yield {
            call,
            wrong: `\`${call.tool}\` is called, and \`${first}\` was not before it in this ${scope}`,
            instead: [first],
          };
      }
    }
  },
});
