import type { Message } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { firstSpoken, isOnlyReply, withOpening } from '../shared/ends.js';
import { GEMINI_3 } from '../shared/gemini-3.js';
import { withJoined } from '../shared/neighbours.js';

export default defineRule({
  id: 'gemini/function-call-turn-order',
  summary: 'a function call that does not follow the user',
  severity: 'error',
  providers: ['gemini'],
  covers: ['anthropic/first-message-user'],
  error: 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  cause:
    'A sliding window cut the user’s turn off before the call, an empty turn of the user was filtered out, or two turns of the model follow one another.',
  example: {
    bad: {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
    repaired: {
      contents: [
        { role: 'user', parts: [{ text: '[earlier conversation removed]' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
  },
  reported: [
    'google-gemini/gemini-cli#26486',
    'google-gemini/gemini-cli#11814',
    'google-gemini/gemini-cli#26956',
    'xincmm/sageread#8',
    'continuedev/continue#11164',
    'lbjlaq/Antigravity-Manager#3396',
  ],
  /** Neighbouring turns of the model are seen to be taken by Gemini 3, and recorded: they count only where an older one is to be asked. */
  *check({ transcript, asRequest }) {
    const { messages, model } = transcript;
    if (isOnlyReply(transcript)) return;
    const joins = !asRequest || GEMINI_3.test(model ?? '');
    let before: Message | undefined;
    for (const [message, said] of messages.entries()) {
      if (said.role === 'meta' || said.role === 'system' || isOnlyThought(said)) continue;
      const call = said.parts.find(({ type }) => type === 'call');
      const goesOn = said.group !== undefined && said.group === before?.group;
      if (
        call?.type === 'call' &&
        !goesOn &&
        (before === undefined ||
          (!joins && before.role === 'assistant' && !before.parts.some(({ type }) => type === 'result')))
      )
        yield {
          message,
          part: call,
          callId: call.callId,
          text: `the call of ${call.tool} follows ${before === undefined ? 'nothing' : 'another turn of the model'}, not a turn of the user`,
        };
      before = said;
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Join neighbouring turns of the model; put a user turn before a call that begins the history.',
    apply(subject, problems) {
      const wrong = new Set(problems.map(({ message }) => message!));
      const together = withJoined(subject, wrong, ({ role }) => role === 'assistant');
      return wrong.has(firstSpoken(subject.transcript)) ? withOpening(together) : together;
    },
  },
});

function isOnlyThought({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.length > 0 && parts.every(({ type }) => type === 'thinking');
}
