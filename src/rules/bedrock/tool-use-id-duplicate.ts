import anthropic from '../anthropic/tool-use-id-duplicate.js';
import { defineRule } from '../rule.js';
import { isClaude } from '../shared/bedrock.js';

const toolConfig = { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] };
const call = { toolUse: { toolUseId: 't1', name: 'ls', input: {} } };
const answer = { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] };
const user = { role: 'user', content: [{ text: 'x' }] };

export default defineRule({
  ...anthropic,
  id: 'bedrock/tool-use-id-duplicate',
  summary: 'two toolUse blocks with the same id',
  providers: ['bedrock'],
  error: 'The toolUse blocks at messages.1.content contain duplicate Ids: tooluse_1',
  example: {
    bad: { toolConfig, messages: [user, { role: 'assistant', content: [call, call] }, answer] },
    repaired: { toolConfig, messages: [user, { role: 'assistant', content: [call] }, answer] },
  },
  reported: ['BerriAI/litellm#20048', 'kirodotdev/Kiro#9355'],
  /** Whether other models mind an id that comes again in a later turn is not known. */
  check: (context) => (isClaude(context) ? anthropic.check(context) : []),
});
