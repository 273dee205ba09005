import { defineRuleType, textFault } from './rule.js';

export default defineRuleType({
  type: 'last_answer',
  summary:
    'Conditions on the last answer of the model in a transcript: word lists and patterns that it must match, or ' +
    'must not match.',
  fields: (_, { text }) => ({ text }),
  judges: () => [],
  *check({ text }, context) {
    if (context.answer === undefined) return;
    const wrong = textFault(text, context.answer, context);
    yield wrong === undefined ? { call: undefined } : { call: undefined, wrong: `the last answer ${wrong}` };
  },
});
