import { amountOf, formatAmount } from '../costs.js';
import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_cost',
  summary:
    'The maximum cost of the calls in a transcript (or turn), by `tools.<name>.cost`: every call above it is ' +
    'reported. `usd` is in the currency of the policy (default: US dollars).',
  fields: (z, { selector, per }) => ({ tool: selector.optional(), usd: z.number().min(0), per }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', usd, per = 'transcript' }, context) {
    const { policy } = context;
    const most = amountOf(usd);
    for (const calls of scopes(context.calls, per)) {
      let spent = 0n;
      for (const call of calls) {
        const cost = context.specOf(call.tool)?.cost;
        if (cost === undefined || !context.is(call, tool)) continue;
        spent += amountOf(typeof cost === 'number' ? cost : cost.usual);
        yield spent <= most
          ? { call }
          : {
              call,
              wrong:
                `with \`${call.tool}\` the calls of this ${per} cost ${formatAmount(spent, policy.currency)}, ` +
                `more than ${formatAmount(most, policy.currency)}`,
            };
      }
    }
  },
});
