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
  reported: ['langgenius/dify#12340', 'strands-agents/sdk-typescript#727'],
});
