import { defineRuleType, textFault } from './rule.js';

export default defineRuleType({
  type: 'result_text',
  summary: 'Every result of the tool has to be so: words of lists and patterns that it has, and that it may not have.',
  isOfResult: true,
  fields: (_, { selector, text }) => ({ tool: selector.optional(), text }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', text }, scene) {
    for (const call of scene.calls) {
      if (call.result === undefined || !scene.is(call, tool)) continue;
      const wrong = textFault(text, call.result.text, scene);
      yield wrong === undefined ? { call } : { call, wrong: `the result of \`${call.tool}\` ${wrong}` };
    }
  },
});
