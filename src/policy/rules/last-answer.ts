import { defineRuleType, textFault } from './rule.js';

export default defineRuleType({
  type: 'last_answer',
  summary:
    'What the model says last in a transcript has to be so: words of lists and patterns that it has, and that it may not have.',
  fields: (_, { text }) => ({ text }),
  judges: () => [],
  *check({ text }, scene) {
    if (scene.answer === undefined) return;
    const wrong = textFault(text, scene.answer, scene);
    yield wrong === undefined ? { call: undefined } : { call: undefined, wrong: `the last answer ${wrong}` };
  },
});
