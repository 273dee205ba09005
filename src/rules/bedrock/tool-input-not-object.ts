import anthropic from '../anthropic/tool-input-not-object.js';
import { defineRule } from '../rule.js';

export default defineRule({
  ...anthropic,
  id: 'bedrock/tool-input-not-object',
  summary: 'a toolUse whose input is not a JSON object',
  providers: ['bedrock'],
  error:
    'The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object for the field ' +
    'and try again.',
  example: {
    bad: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: '{"path":"."}' } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
      ],
    },
    repaired: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: { path: '.' } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
      ],
    },
  },
  reported: ['vercel/ai#19023'],
});
