import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'before',
  summary:
    'Before a call of `then`, `first` must be called in an earlier assistant message of the same transcript (or ' +
    'turn). A call in the same message is a warning, because calls of one message have no order.',
  fields: (_, { selector, per }) => ({ first: selector, then: selector, scope: per }),
  judges: ({ then }) => [then],
  *check({ first, then, scope = 'transcript' }, context) {
    for (const calls of scopes(context.calls, scope)) {
      const firsts = calls.filter((call) => context.is(call, first));
      for (const call of calls) {
        if (!context.is(call, then)) continue;
        const other = firsts.find((candidate) => candidate !== call); // the earliest: they are in order
        if (other !== undefined && other.step < call.step) yield { call };
        else if (other?.step === call.step)
          yield {
            call,
            wrong: `\`${first}\` is called in the same message as \`${call.tool}\`, so their order is unknown`,
            unsure: true,
          };
        else
          yield {
            call,
            wrong: `\`${call.tool}\` is called, but \`${first}\` was not called before it in this ${scope}`,
            instead: [first],
          };
      }
    }
  },
});
