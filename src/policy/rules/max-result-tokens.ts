import { grouped } from '../../transcript/text.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_result_tokens',
  summary: 'The maximum number of tokens in a result of the tool.',
  judgesResults: true,
  fields: (z, { selector }) => ({ tool: selector.optional(), max: z.int().min(0) }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', max }, context) {
    for (const call of context.calls) {
      if (call.result === undefined || !context.is(call, tool)) continue;
      const tokens = context.count(call.result.text);
      yield tokens <= max
        ? { call }
        : { call, wrong: `the result of \`${call.tool}\` has ${grouped(tokens)} tokens, more than ${grouped(max)}` };
    }
  },
});
