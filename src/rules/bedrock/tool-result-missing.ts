import { defineRule } from '../rule.js';
import { missingOrSplitResults, RESULTS_TOGETHER } from '../shared/results.js';

export default defineRule({
  id: 'bedrock/tool-result-missing',
  summary: 'a toolUse without its toolResult in the next message',
  severity: 'error',
  providers: ['bedrock'],
  error: 'Expected toolResult blocks at messages.2.content for the following Ids: tooluse_…',
  cause: 'The run was interrupted, or each result of parallel calls is in a separate message.',
  example: {
    bad: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 't1', name: 'ls', input: {} } },
            { toolUse: { toolUseId: 't2', name: 'ls', input: {} } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't2', content: [{ text: 'b' }] } }] },
      ],
    },
    repaired: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 't1', name: 'ls', input: {} } },
            { toolUse: { toolUseId: 't2', name: 'ls', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } },
            { toolResult: { toolUseId: 't2', content: [{ text: 'b' }] } },
          ],
        },
      ],
    },
  },
  reported: ['genkit-ai/aws-bedrock-js-plugin#664'],
  check: missingOrSplitResults,
  fix: RESULTS_TOGETHER,
});
