import minimax from '../minimax/tool-result-id-not-found.js';
import { defineRule } from '../rule.js';

const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }];

export default defineRule({
  ...minimax,
  id: 'cohere/tool-call-not-found',
  providers: ['cohere'],
  error: "invalid request: tool call id 'c9' not found in previous tool calls",
  cause: 'The call was trimmed but its result stayed, or the client made up the id of the result.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', tool_plan: 'look', tool_calls },
        { role: 'tool', tool_call_id: 'call_9', content: 'a' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', tool_plan: 'look', tool_calls },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      ],
    },
  },
  reported: ['microsoft/autogen#3270'],
});
