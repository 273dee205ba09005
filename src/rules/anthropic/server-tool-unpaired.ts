import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { serverTools } from '../shared/server-tools.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/server-tool-unpaired',
  summary: 'a server tool use without its result, or a result without its use',
  providers: ['anthropic'],
  error:
    'messages.33: `web_search` tool use with id `srvtoolu_…` was found without a corresponding ' +
    '`web_search_tool_result` block | unexpected `tool_use_id` found in `advisor_tool_result` blocks: ' +
    'srvtoolu_…. Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.',
  cause:
    'A repair or trim that handles only tool_use and tool_result, or a paused turn (`pause_turn`) that was cut off.',
  reported: commaList(`
    AnswerDotAI/lisette#108, vellum-ai/vellum-assistant#15911, vellum-ai/vellum-assistant#19986,
    anthropics/claude-code#64383, anthropics/claude-code#80439, anthropics/claude-code#84783,
    anthropics/claude-code#66548
  `),
  *check(context) {
    const { uses, results } = serverTools(context);
    for (const { id, tool, part, message, answered, passed } of uses) {
      if (!answered && passed)
        yield { message, part, callId: id, text: `the server tool ${tool} (${id}) has no result in its turn` };
    }
    for (const { id, type, part, message, use } of results) {
      if (use === undefined)
        yield { message, part, callId: id, text: `the ${type} (${id}) answers no server tool use before it` };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the block without a counterpart.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
