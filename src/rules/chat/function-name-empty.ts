import { errorRule } from '../rule.js';
import { isUnsentReply } from '../shared/ends.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'chat/function-name-empty',
  summary: 'a tool call without a name',
  providers: ['openai-chat'],
  error:
    "Invalid 'messages[69].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, " +
    'but got an empty string instead.',
  cause: 'The chunks of a stream were joined wrongly, or a cancelled call was stored with an empty name.',
  reported: ['continuedev/continue#11645', 'continuedev/continue#9784'],
  *check(context) {
    for (const { part, message } of context.pairing.calls)
      if (part.tool === '' && !isUnsentReply(context, message))
        yield {
          message,
          part,
          callId: part.callId,
          text: `the call${part.callId ? ` ${part.callId}` : ''} names no tool`,
        };
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove these calls and their results.',
    apply(context, problems) {
      const bad = new Set<unknown>(problems.map(({ part }) => part));
      const calls = context.pairing.calls.filter(({ part }) => bad.has(part));
      return withoutParts(
        context,
        calls.flatMap((call) => [call, ...call.results]),
      );
    },
  },
});
