import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default errorRule({
  id: 'chat/tool-call-unanswered',
  summary: 'a tool call without its result',
  providers: ['openai-chat', 'cohere'],
  error:
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
    "'tool_call_id'. The following tool_call_ids did not have response messages: call_…",
  cause:
    'The run was interrupted, a parallel call failed, a sliding window cut the result off, or another agent took over.',
  reported: commaList(`
    agno-agi/agno#3105, QwenLM/qwen-code#606, QwenLM/qwen-code#315, smallmain/vscode-unify-chat-provider#248,
    aliasrobotics/cai#111, langgenius/dify#32222, BerriAI/litellm#28995, BerriAI/litellm#10083
  `),
  check: unansweredCalls,
  fix: ANSWER,
});
