import { defineRuleType, timesText } from './rule.js';

export default defineRuleType({
  type: 'require',
  summary:
    'The tool must be called at least `min` times (default 1) in every transcript; with `when`, in those that ' +
    'match it.',
  fields: (z, { selector }) => ({ tool: selector, min: z.int().min(1).optional() }),
  judges: () => [],
  narrows: ({ tool }) => [tool],
  *check({ tool, min = 1 }, context) {
    const count = context.calls.filter((call) => context.is(call, tool)).length;
    yield count >= min
      ? { call: undefined }
      : {
          call: undefined,
          wrong:
            `\`${tool}\` is called ${timesText(count)}, where at least ${min} ` +
            `${min === 1 ? 'call is' : 'calls are'} required`,
        };
  },
});
