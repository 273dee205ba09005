import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { nameOfResult } from '../shared/calls.js';
import { continuesOnServer } from '../shared/response-items.js';
import { orphansOf } from '../shared/results.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'responses/call-missing',
  summary: 'an output without its function call',
  providers: ['openai-responses'],
  error: 'No tool call found for function call output with call_id call_…. (param input)',
  cause: 'The call was trimmed but its output stayed, or one of the two `call_id`s was changed.',
  reported: commaList(`
    continuedev/continue#10092, continuedev/continue#11785, agentscope-ai/AgentTeams#299, james-6-23/codex2api#414,
    leookun/cursor-byok#307, binaricat/Netcatty#684, vllm-project/vllm#55592
  `),
  *check(context) {
    if (continuesOnServer(context)) return; // the call may be on the server
    for (const { site } of orphansOf(context)) {
      const { part, message } = site;
      if (part.callId !== '')
        yield {
          message,
          part,
          callId: part.callId,
          text: `${nameOfResult(site)} answers a call that is not in the history`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the output.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
