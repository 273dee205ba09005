import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_errors',
  summary:
    'The maximum number of failed calls (of the tool) in a transcript (or turn); with `in_a_row`, of ' +
    'consecutive failures. A call failed if its result has an error flag; without flags, if it matches the word ' +
    'list `errors`.',
  judgesResults: true,
  fields: (z, { selector, per }) => ({
    tool: selector.optional(),
    max: z.int().min(0),
    in_a_row: z.boolean().optional(),
    per,
  }),
  judges: () => [],
  narrows: ({ tool = '*' }) => [tool],
  *check({ tool = '*', max, in_a_row: inARow = false, per = 'transcript' }, context) {
    for (const calls of scopes(context.calls, per)) {
      const counted = calls.filter((call) => call.result !== undefined && context.is(call, tool));
      let failures = 0;
      for (const call of counted) {
        const hasFailed = context.failed(call);
        failures = hasFailed ? failures + 1 : inARow ? 0 : failures;
        yield hasFailed && failures > max
          ? {
              call,
              wrong:
                `\`${call.tool}\` is failure ${failures}${inARow ? ' in a row' : ''} in one ${per}, where at most ` +
                `${max} are allowed`,
            }
          : { call };
      }
    }
  },
});
