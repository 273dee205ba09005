import { hasContent } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { withoutMessages } from '../shared/neighbors.js';

export default errorRule({
  id: 'mistral/assistant-empty',
  summary: 'an assistant message without text and calls',
  providers: ['mistral', 'xai'],
  covers: ['mistral/last-role-assistant'],
  error: 'Assistant message must have either content or tool_calls, but not none.',
  cause: 'A reply was interrupted or filtered, and its empty message was stored.',
  reported: ['OpenHands/OpenHands#8685', 'UKGovernmentBEIS/inspect_ai#2842'],
  *check(context) {
    const { messages } = context.transcript;
    const saying = new Set(
      messages.flatMap((message, index) => (says(message, context) ? (message.group ?? index) : [])),
    );
    for (const [message, { role, group }] of messages.entries())
      if (role === 'assistant' && !saying.has(group ?? message))
        yield { message, text: 'the assistant message has neither content nor calls' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the message, and join the user messages around it.',
    apply: (context, problems) => withoutMessages(context, new Set(problems.map(({ message }) => message!))),
  },
});

/** For Mistral reasoning alone is no content; in other formats it may be one piece of a message. */
function says(message: Message, { wire }: RuleContext): boolean {
  return message.parts.some(
    (part) =>
      hasContent(part) ||
      part.type === 'call' ||
      part.type === 'result' ||
      (part.type === 'thinking' && wire(message) === undefined),
  );
}
