import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_steps',
  summary: 'At most so many messages of the model call tools in a transcript (or a turn).',
  fields: (z, { per }) => ({ max: z.int().min(0), per }),
  judges: () => [],
  narrows: () => ['*'],
  *check({ max, per = 'transcript' }, scene) {
    for (const calls of scopes(scene.calls, per)) {
      const steps = [...new Map(calls.map((call) => [call.step, call])).values()];
      const call = steps[max];
      yield call === undefined
        ? { call: undefined }
        : { call, wrong: `one ${per} has ${steps.length} steps with tool calls, where at most ${max} may be` };
    }
  },
});
