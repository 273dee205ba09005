import minimax from '../minimax/tool-result-id-not-found.js';
import { defineRule } from '../rule.js';

export default defineRule({
  ...minimax,
  id: 'cohere/tool-call-not-found',
  providers: ['cohere'],
  error: "invalid request: tool call id 'c9' not found in previous tool calls",
  cause: 'The call was trimmed but its result stayed, or the client made up the id of the result.',
  reported: ['microsoft/autogen#3270'],
});
