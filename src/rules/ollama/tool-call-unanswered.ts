import { defineRule } from '../rule.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default defineRule({
  id: 'ollama/tool-call-unanswered',
  summary: 'a tool call without its result, which models in Ollama’s cloud refuse',
  severity: 'warning',
  providers: ['ollama'],
  error: 'Invalid tool usage: mismatch between tool calls and tool results',
  cause: 'The run was interrupted, or a sliding window cut the result off. Models on your own machine take it.',
  reported: ['ollama/ollama#12395', 'jonigl/mcp-client-for-ollama#91', 'lobehub/lobehub#9531'],
  check: unansweredCalls,
  fix: ANSWER,
});
