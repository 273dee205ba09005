import anthropic from '../anthropic/first-message-user.js';
import { defineRule } from '../rule.js';

export default defineRule({
  ...anthropic,
  id: 'bedrock/first-message-user',
  severity: 'error',
  providers: ['bedrock'],
  error:
    'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
  cause: 'A sliding window cut the beginning off, so that a reply comes first.',
  example: {
    bad: {
      messages: [
        { role: 'assistant', content: [{ text: 'y' }] },
        { role: 'user', content: [{ text: 'x' }] },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: [{ text: '[earlier conversation removed]' }] },
        { role: 'assistant', content: [{ text: 'y' }] },
        { role: 'user', content: [{ text: 'x' }] },
      ],
    },
  },
  reported: ['langgenius/dify#12340', 'strands-agents/sdk-typescript#727'],
});
