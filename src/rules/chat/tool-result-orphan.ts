import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { nameOfResult } from '../shared/calls.js';
import { keptResult } from '../shared/results.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'chat/tool-result-orphan',
  summary: 'a tool result without its call',
  providers: ['openai-chat', 'cohere'],
  error: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  cause:
    'The message with the call was trimmed, compacted or dropped but its result stayed, or the result was ' +
    'stored twice.',
  reported: commaList(`
    itmisx/deepx-code#94, miurla/morphic#136, diegosouzapw/OmniRoute#2893, dimagi/open-chat-studio#1659,
    FoundationAgents/OpenManus#744, FoundationAgents/OpenManus#23, philschmid/mcp-openai-gemini-llama-example#5,
    agno-agi/agno#5116
  `),
  *check({ pairing }) {
    for (const result of pairing.results) {
      const { part, message, call } = result;
      if (part.legacy) continue; // a message of role `function` names no call
      if (call === undefined)
        yield { message, part, callId: part.callId, text: `${nameOfResult(result)} has no call before it` };
      else if (keptResult(call) !== result)
        yield {
          message,
          part,
          callId: part.callId,
          text: `${nameOfResult(result)} is one too many: its call already has a result`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove results without a call, and all but one result of each call.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
