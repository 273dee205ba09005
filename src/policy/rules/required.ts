import { defineRuleType, timesText } from './rule.js';

export default defineRuleType({
  type: 'require',
  summary:
    'The tool has to be called at least `min` times (1) in every transcript; with `when`, in those where that holds.',
  fields: (z, { selector }) => ({ tool: selector, min: z.int().min(1).optional() }),
  judges: () => [],
  narrows: ({ tool }) => [tool],
  *check({ tool, min = 1 }, scene) {
    const count = scene.calls.filter((call) => scene.is(call, tool)).length;
    yield count >= min
      ? { call: undefined }
      : {
          call: undefined,
          wrong: `\`${tool}\` is called ${timesText(count)}, where at least ${min} ${min === 1 ? 'call has' : 'calls have'} to be`,
        };
  },
});
