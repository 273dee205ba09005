import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_steps',
  summary: 'The maximum number of assistant messages with tool calls in a transcript (or turn).',
  fields: (z, { per }) => ({ max: z.int().min(0), per }),
  judges: () => [],
  narrows: () => ['*'],
  *check({ max, per = 'transcript' }, context) {
    for (const calls of scopes(context.calls, per)) {
      const steps = [...new Map(calls.map((call) => [call.step, call])).values()];
      const call = steps[max];
      yield call === undefined
        ? { call: undefined }
        : { call, wrong: `one ${per} has ${steps.length} steps with tool calls, where at most ${max} are allowed` };
    }
  },
});
