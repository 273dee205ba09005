import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { RESULTS_REMOVED, withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/tool-result-orphan',
  summary: 'a tool_result without its tool_use',
  providers: ['anthropic'],
  error:
    'messages.12.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_…. Each `tool_result` ' +
    'block must have a corresponding `tool_use` block in the previous message.',
  cause:
    'The assistant message with the call was trimmed, never stored, or removed by a compaction that kept the result.',
  reported: commaList(`
    router-for-me/CLIProxyAPI#497, decocms/studio#1803, anthropics/claude-code#13460, anthropics/claude-code#18947,
    anthropics/claude-code#8484, anthropics/claude-code#31328, anthropics/claude-code#39602, tghamm/Anthropic.SDK#184
  `),
  *check({ pairing }) {
    for (const { part, message, call } of pairing.results) {
      if (call === undefined)
        yield {
          message,
          part,
          callId: part.callId || undefined,
          text: `the result ${part.callId ? `of ${part.callId}` : 'without an id'} answers no call`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove results without a call.',
    apply: (context, problems) => withoutParts(context, problems, RESULTS_REMOVED),
  },
});
