import { errorRule } from '../rule.js';
import { isUnsentReply } from '../shared/ends.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/thinking-last',
  summary: 'a message of the assistant that ends with thinking',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages.1: The final block in an assistant message cannot be `thinking`.',
  cause: 'The answer was cut off, or its text was empty and was removed.',
  reported: ['tailcallhq/forgecode#2107', 'tailcallhq/forgecode#3073', 'NousResearch/hermes-agent#13010'],
  *check(context) {
    const { messages } = context.transcript;
    for (const [message, { role, parts, group }] of messages.entries()) {
      const goesOn = group !== undefined && messages[message + 1]?.group === group;
      if (role !== 'assistant' || goesOn || context.wire(messages[message]!) === undefined) continue;
      if (parts.at(-1)?.type !== 'thinking' || isUnsentReply(context, message)) continue;
      for (const part of parts.slice(parts.findLastIndex(({ type }) => type !== 'thinking') + 1))
        yield { message, part, text: 'the message ends with thinking' };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the thinking at the end, and a message that holds nothing else.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
