import { grouped } from '../../transcript/text.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'max_result_tokens',
  summary: 'A result of the tool has at most so many tokens.',
  isOfResult: true,
  fields: (z, { selector }) => ({ tool: selector.optional(), max: z.int().min(0) }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', max }, scene) {
    for (const call of scene.calls) {
      if (call.result === undefined || !scene.is(call, tool)) continue;
      const tokens = scene.count(call.result.text);
      yield tokens <= max
        ? { call }
        : { call, wrong: `the result of \`${call.tool}\` has ${grouped(tokens)} tokens, more than ${grouped(max)}` };
    }
  },
});
