import { defineRule } from '../rule.js';
import { MISTRAL_MESSAGE } from '../shapes/mistral.js';
import { chatFaults } from '../shared/chat-schema.js';
import { problemOf } from '../shared/schema.js';

export default defineRule({
  id: 'mistral/schema',
  summary: 'a message that Mistral’s published schema rejects',
  severity: 'error',
  providers: ['mistral'],
  cleaned: true,
  error:
    "Input tag 'human' found using 'role' does not match any of the expected tags: 'assistant', 'system', 'tool', " +
    "'user' | body.messages.1.assistant.tool_calls: Input should be a valid list",
  cause: 'A message was written by hand, or converted from the format of another provider.',
  example: {
    bad: { messages: [{ role: 'user', content: [{ type: 'txt', text: 'x' }] }] },
    repaired: { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
  },
  reported: ['openai/openai-dotnet#394'],
  *check(context) {
    for (const fault of chatFaults(context, MISTRAL_MESSAGE)) if (!fault.isExtra) yield problemOf(context, fault);
  },
});
