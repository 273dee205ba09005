import { errorRule } from '../rule.js';
import { lastMessage } from '../shared/ends.js';
import { bodyOf } from '../shared/own-format.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/thinking-disabled-final',
  summary: 'thinking in the last message while thinking is disabled',
  providers: ['anthropic'],
  error:
    'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot ' +
    'contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
  cause: 'The history of a thinking model is sent in a request that does not enable thinking.',
  asRequest: true,
  reported: ['tailcallhq/forgecode#1853'],
  *check(context) {
    const { messages, traits } = context.transcript;
    const body = bodyOf(context);
    const message = lastMessage(context.transcript);
    if (body === undefined || traits.endsOnReply || messages[message]?.role !== 'assistant') return;
    const type = body.get('thinking')?.get('type')?.string ?? 'disabled';
    if (type !== 'disabled') return;
    for (const part of messages[message].parts)
      if (part.type === 'thinking')
        yield { message, part, text: 'the last assistant message has thinking, but the request does not enable it' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the thinking blocks of that message.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
