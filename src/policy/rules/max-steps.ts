import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_steps',
  summary:
    'The maximum number of assistant messages with tool calls in a transcript (or turn): every call of a further one ' +
    'is reported.',
  fields: (z, { per }) => ({ max: z.int().min(0), per }),
  judges: () => [],
  narrows: () => ['*'],
  *check({ max, per = 'transcript' }, context) {
    for (const calls of scopes(context.calls, per)) {
      const places = new Map([...new Set(calls.map(({ step }) => step))].map((step, index) => [step, index + 1]));
      const further = calls.filter(({ step }) => places.get(step)! > max);
      if (further.length === 0) yield { call: undefined };
      for (const call of further) {
        const place = `step ${places.get(call.step)} of one ${per}`;
        yield { call, wrong: `\`${call.tool}\` is called in ${place}, where at most ${max} are allowed` };
      }
    }
  },
});
