import { defineRuleType, textFault } from './rule.js';

export default defineRuleType({
  type: 'result_text',
  summary: 'Conditions on every result of the tool: word lists and patterns that it must match, or must not match.',
  judgesResults: true,
  fields: (_, { selector, text }) => ({ tool: selector.optional(), text }),
  judges: ({ tool = '*' }) => [tool],
  *check({ tool = '*', text }, context) {
    for (const call of context.calls) {
      if (call.result === undefined || !context.is(call, tool)) continue;
      const wrong = textFault(text, call.result.text, context);
      yield wrong === undefined ? { call } : { call, wrong: `the result of \`${call.tool}\` ${wrong}` };
    }
  },
});
