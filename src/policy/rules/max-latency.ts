import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_latency',
  summary:
    'From the message that calls the tool to its result, at most so many seconds pass, by the times that the recording has of both.',
  isOfResult: true,
  fields: (z, { selector }) => ({ tool: selector.optional(), seconds: z.number().min(0) }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', seconds }, scene) {
    for (const call of scene.calls) {
      if (!scene.is(call, tool)) continue;
      const [from, to] = [call.time, call.result?.time];
      if (from === undefined || to === undefined) continue;
      const taken = (to - from) / 1000;
      yield taken <= seconds
        ? { call }
        : { call, wrong: `\`${call.tool}\` takes ${Number(taken.toFixed(1))} s, more than ${seconds} s` };
    }
  },
});
