import { isBareOutput } from '../../formats/openai/openai-responses-items.js';
import { JsonNode } from '../../json/node.js';
import { pair } from '../../transcript/pairs.js';
import { repairIds } from '../../transforms/ids.js';
import { errorRule } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'responses/call-id-empty',
  summary: 'a call or an output without a call_id',
  providers: ['openai-responses'],
  error: '(strict upstreams answer 400; seen as tool_call_id: "" after translation)',
  cause: 'An output was stored without the `call_id` of its call.',
  reported: ['openai/codex#42088'],
  *check({ pairing: { calls, results } }) {
    for (const { part, message } of calls)
      if (part.callId === '')
        yield { message, part, callId: '', text: `the call of ${part.tool || 'a tool'} has no id` };
    for (const { part, message, call } of results)
      if (part.callId === '' && !(part.raw instanceof JsonNode && isBareOutput(part.raw)))
        yield {
          message,
          part,
          callId: '',
          text: `the result${call ? ` of ${call.part.tool || 'a tool'}` : ''} has no \`call_id\``,
        };
  },
  fix: {
    safety: 'lossy',
    summary: 'Give each output the id of the call that it follows, and remove outputs that follow no call.',
    apply(context) {
      const transcript = repairIds(context.transcript, context.pairing);
      return withoutParts(
        { ...context, transcript },
        pair(transcript.messages).results.filter(({ part }) => part.callId === ''),
      );
    },
  },
});
