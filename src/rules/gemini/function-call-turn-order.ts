import { commaList } from '../../lists.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { canAddUser, isOnlyReply, withOpening } from '../shared/ends.js';
import { GEMINI_3 } from '../shared/gemini-3.js';
import { joinsPrevious, withJoined } from '../shared/neighbors.js';

export default errorRule({
  id: 'gemini/function-call-turn-order',
  summary: 'a function call that does not follow a user turn or a function response',
  providers: ['gemini'],
  covers: ['anthropic/first-message-user'],
  error: 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  cause: 'A sliding window or a filter removed the user turn before the call, or two model turns follow each other.',
  reported: commaList(`
    google-gemini/gemini-cli#26486, google-gemini/gemini-cli#11814, google-gemini/gemini-cli#26956, xincmm/sageread#8,
    continuedev/continue#11164, lbjlaq/Antigravity-Manager#3396
  `),
  /** Gemini 3 accepts adjacent model turns, so these count only in a request to an older model. */
  *check({ transcript, asRequest }) {
    const { messages, model } = transcript;
    if (isOnlyReply(transcript)) return;
    const joins = !asRequest || GEMINI_3.test(model ?? '');
    let before: Message | undefined;
    for (const [index, message] of messages.entries()) {
      if (isSkipped(message)) continue;
      const call = message.parts.find(({ type }) => type === 'call');
      const goesOn = message.group !== undefined && message.group === before?.group;
      if (
        call?.type === 'call' &&
        !goesOn &&
        (before === undefined ||
          (!joins && before.role === 'assistant' && !before.parts.some(({ type }) => type === 'result')))
      )
        yield {
          message: index,
          part: call,
          callId: call.callId,
          text:
            `the call of ${call.tool} follows ${before === undefined ? 'nothing' : 'another model turn'}, not a ` +
            'user turn',
        };
      before = message;
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Join adjacent model turns; add a user turn before a call that begins the history.',
    reaches: (context, { message }) =>
      beginsHistory(context.transcript, message!) ? canAddUser(context) : joinsPrevious(context, message!, isModels),
    apply(context, problems) {
      const indexes = problems.map(({ message }) => message!);
      const together = withJoined(context, new Set(indexes), isModels);
      const isOpened = indexes.some((index) => beginsHistory(context.transcript, index));
      return isOpened ? withOpening(together) : together;
    },
  },
});

/** Whether only the system prompt and reasoning come before this message. */
function beginsHistory({ messages }: Transcript, index: number): boolean {
  return messages.slice(0, index).every((message) => isSkipped(message));
}

function isSkipped(message: Message): boolean {
  return message.role === 'meta' || message.role === 'system' || isOnlyThought(message);
}

function isModels({ role }: Message): boolean {
  return role === 'assistant';
}

function isOnlyThought({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.length > 0 && parts.every(({ type }) => type === 'thinking');
}
