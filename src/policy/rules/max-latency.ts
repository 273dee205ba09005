import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_latency',
  summary:
    'The maximum number of seconds between a call of the tool and its result, if the recording has the times of both.',
  judgesResults: true,
  fields: (z, { selector }) => ({ tool: selector.optional(), seconds: z.number().min(0) }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', seconds }, context) {
    for (const call of context.calls) {
      if (!context.is(call, tool)) continue;
      const [from, to] = [call.time, call.result?.time];
      if (from === undefined || to === undefined) continue;
      const taken = (to - from) / 1000;
      yield taken <= seconds
        ? { call }
        : { call, wrong: `\`${call.tool}\` takes ${Number(taken.toFixed(1))} s, more than ${seconds} s` };
    }
  },
});
