import { amountOf, formatAmount } from '../costs.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_run_cost',
  summary:
    'The maximum cost of the model requests of a transcript, in US dollars: as recorded, else by tokens and ' +
    'list prices. If a price is unknown, the rule is not exercised.',
  fields: (z) => ({ usd: z.number().min(0) }),
  judges: () => [],
  *check({ usd }, { cost }) {
    const most = amountOf(usd);
    if (cost === undefined) return;
    yield cost <= most
      ? { call: undefined }
      : { call: undefined, wrong: `the run costs ${formatAmount(cost)}, more than ${formatAmount(most)}` };
  },
});
