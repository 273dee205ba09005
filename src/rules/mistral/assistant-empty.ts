import { hasContent } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { defineRule, type RuleContext } from '../rule.js';
import { withoutMessages } from '../shared/neighbours.js';

export default defineRule({
  id: 'mistral/assistant-empty',
  summary: 'an assistant’s message that says and calls nothing',
  severity: 'error',
  providers: ['mistral', 'xai'],
  covers: ['mistral/last-role-assistant'],
  error: 'Assistant message must have either content or tool_calls, but not none.',
  cause: 'An answer was interrupted or filtered, and its empty message stored.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'y' },
      ],
    },
    repaired: { messages: [{ role: 'user', content: 'x\n\ny' }] },
  },
  reported: ['OpenHands/OpenHands#8685', 'UKGovernmentBEIS/inspect_ai#2842'],
  *check(subject) {
    const { messages } = subject.transcript;
    const saying = new Set(
      messages.flatMap((message, index) => (says(message, subject) ? (message.group ?? index) : [])),
    );
    for (const [message, { role, group }] of messages.entries())
      if (role === 'assistant' && !saying.has(group ?? message))
        yield { message, text: 'the message of the assistant has neither content nor calls' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Drop the message, and make one of what the user said before and after it.',
    apply: (subject, problems) => withoutMessages(subject, new Set(problems.map(({ message }) => message!))),
  },
});

/** A thought alone is no content to Mistral; in other formats it may be a piece of a message. */
function says(message: Message, { wire }: RuleContext): boolean {
  return message.parts.some(
    (part) =>
      hasContent(part) ||
      part.type === 'call' ||
      part.type === 'result' ||
      (part.type === 'thinking' && wire(message) === undefined),
  );
}
