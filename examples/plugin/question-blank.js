// @ts-check
import { defineRule, mapProblemMessages, textOf } from 'ctx-trim/plugin';

export default defineRule({
  id: 'ferry/question-blank',
  summary: 'a question without a word',
  severity: 'error',
  providers: ['any'],
  error: 'ferry-gateway: 422 question must not be blank',
  cause: 'The user pressed Enter in an empty line, and the agent sent it.',
  example: {
    bad: [
      { role: 'user', content: '  ' },
      { role: 'user', content: 'List the files.' },
    ],
    repaired: [{ role: 'user', content: 'List the files.' }],
  },
  reported: [],
  *check({ transcript }) {
    for (const [index, { role, parts }] of transcript.messages.entries()) {
      const isBlank =
        parts.length > 0 && parts.every((part) => part.type === 'text' && textOf(part.text).trim() === '');
      if (role === 'user' && isBlank) yield { message: index, text: 'the question is blank' };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the blank question.',
    apply: (context, problems) => mapProblemMessages(context, problems, () => []),
  },
});
