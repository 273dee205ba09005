import { defineRule } from '../rule.js';
import { withoutMessages } from '../shared/neighbours.js';

export default defineRule({
  id: 'bedrock/empty-content',
  summary: 'a message without content',
  severity: 'error',
  providers: ['bedrock'],
  covers: ['core/roles-alternate'],
  error:
    'The content field in the Message object at messages.3 is empty. Add a ContentBlock object to the content field and try again.',
  cause: 'A filter took all blocks away and left the message, or its calls were lost where it was converted.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [] },
        { role: 'user', content: [{ text: 'y' }] },
      ],
    },
    repaired: { messages: [{ role: 'user', content: [{ text: 'x' }, { text: 'y' }] }] },
  },
  reported: ['langchain-ai/langchain#26968', 'earendil-works/pi#3443', 'Portkey-AI/gateway#995'],
  *check({ transcript: { messages } }) {
    for (const [message, { role, parts }] of messages.entries())
      if (role !== 'meta' && role !== 'system' && parts.length === 0)
        yield { message, text: `the message of the ${role} has no content` };
  },
  fix: {
    safety: 'safe',
    summary: 'Take the message away and join its neighbours.',
    apply: (subject, problems) => withoutMessages(subject, new Set(problems.map(({ message }) => message!))),
  },
});
