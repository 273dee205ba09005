import { costOf, formatAmount } from '../costs.js';
import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_cost',
  summary:
    'The calls of a transcript (or a turn) may cost so much at most, by `tools.<name>.cost`: every call beyond is wrong. `usd` is an amount in the currency of the policy, which is US dollars where it names none.',
  fields: (z, { selector, per }) => ({ tool: selector.optional(), usd: z.number().min(0), per }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', usd, per = 'transcript' }, scene) {
    const { policy } = scene;
    const most = costOf(usd);
    for (const calls of scopes(scene.calls, per)) {
      let spent = 0n;
      for (const call of calls) {
        const cost = scene.specOf(call.tool)?.cost;
        if (cost === undefined || !scene.is(call, tool)) continue;
        spent += costOf(typeof cost === 'number' ? cost : cost.usual);
        yield spent <= most
          ? { call }
          : {
              call,
              wrong: `with \`${call.tool}\` the calls of this ${per} cost ${formatAmount(spent, policy.currency)}, more than ${formatAmount(most, policy.currency)}`,
            };
      }
    }
  },
});
