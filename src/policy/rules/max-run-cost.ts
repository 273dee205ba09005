import { costOf, formatAmount } from '../costs.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_run_cost',
  summary:
    'The requests to the model behind a transcript cost so many US dollars at most: as recorded, else by its tokens and the list prices. Where a price is not known, the rule is not exercised.',
  fields: (z) => ({ usd: z.number().min(0) }),
  judges: () => [],
  *check({ usd }, { cost }) {
    const most = costOf(usd);
    if (cost === undefined) return;
    yield cost <= most
      ? { call: undefined }
      : { call: undefined, wrong: `the run costs ${formatAmount(cost)}, more than ${formatAmount(most)}` };
  },
});
