import { defineRuleType, inTurns, timesText } from './rule.js';

export default defineRuleType({
  type: 'count',
  summary:
    'The number of calls of the tool in a transcript (or in each turn): `exactly`, or at least `min` and at ' +
    'most `max`.',
  fields: (z, { selector, per }) => {
    const figure = z.int().min(0).optional();
    return { tool: selector, exactly: figure, min: figure, max: figure, per };
  },
  judges: () => [],
  narrows: ({ tool }) => [tool],
  *check({ tool, exactly, min = exactly ?? 0, max = exactly ?? Infinity, per = 'transcript' }, context) {
    const wanted =
      min === max
        ? `exactly ${min}`
        : max === Infinity
          ? `at least ${min}`
          : min === 0
            ? `at most ${max}`
            : `${min} to ${max}`;
    for (const calls of inTurns(context, per)) {
      const counted = calls.filter((call) => context.is(call, tool));
      const call = counted[max]; // the first that is one too many
      yield counted.length >= min && counted.length <= max
        ? { call: undefined }
        : {
            call,
            wrong:
              `\`${tool}\` is called ${timesText(counted.length)} in one ${per}, where ${wanted} ` +
              `${min === max && min === 1 ? 'is' : 'are'} expected`,
          };
    }
  },
});
