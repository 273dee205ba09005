import { defineRule } from '../rule.js';
import { isUnsentReply } from '../shared/ends.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'chat/function-name-empty',
  summary: 'a tool call without a name',
  severity: 'error',
  providers: ['openai-chat'],
  error:
    "Invalid 'messages[69].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  cause: 'A stream was put together wrongly, or a cancelled call was stored with an empty name.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: 'ok',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: '', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'err' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'ok' },
      ],
    },
  },
  reported: ['continuedev/continue#11645', 'continuedev/continue#9784'],
  *check(subject) {
    for (const { part, message } of subject.pairing.calls)
      if (part.tool === '' && !isUnsentReply(subject, message))
        yield {
          message,
          part,
          callId: part.callId,
          text: `the call${part.callId ? ` ${part.callId}` : ''} names no tool`,
        };
  },
  fix: {
    safety: 'lossy',
    summary: 'Take these calls away, and their results.',
    apply(subject, problems) {
      const bad = new Set<unknown>(problems.map(({ part }) => part));
      const calls = subject.pairing.calls.filter(({ part }) => bad.has(part));
      return withoutParts(
        subject,
        calls.flatMap((call) => [call, ...call.results]),
      );
    },
  },
});
