import { defineRule } from '../rule.js';
import { canAddUser, endingReply, withUserAtEnd } from '../shared/ends.js';

export default defineRule({
  id: 'gemini/ends-with-model',
  summary: 'a history that ends with the model',
  severity: 'warning',
  providers: ['gemini'],
  error: '(text not seen; crewAI: "generateContent API rejects a request whose history ends on a model turn")',
  cause: 'An agent loop or a sliding window left a model turn at the end.',
  asRequest: true,
  reported: ['crewAIInc/crewAI#6973'],
  *check({ transcript }) {
    const end = endingReply(transcript);
    if (end !== undefined) yield { message: end.index, text: 'the last turn is from the model' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add the user message `Please continue.`',
    reaches: canAddUser,
    apply: ({ transcript }) => withUserAtEnd(transcript, 'Please continue.'),
  },
});
