import type { Message } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { lastMessage } from '../shared/ends.js';
import { isEmptyBlock, isEmptyText } from '../shared/text-blocks.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'anthropic/empty-message',
  summary: 'a message without content',
  severity: 'error',
  providers: ['anthropic'],
  error: 'messages.11: all messages must have non-empty content except for the optional final assistant message',
  cause: 'A filter took all blocks away and left the message.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [] },
        { role: 'user', content: 'y' },
      ],
    },
    repaired: { messages: [{ role: 'user', content: 'x\n\ny' }] },
  },
  reported: ['anthropics/claude-code#4416', 'openai/openai-agents-js#1524', 'BerriAI/litellm#39723'],
  /** Where no content is said at all, something else may be: that is the schema's to refuse, and nothing to take away. */
  *check({ transcript, wire }) {
    const last = lastMessage(transcript);
    for (const [message, said] of transcript.messages.entries()) {
      const json = wire(said);
      if (json !== undefined && json.get('content') === undefined) continue;
      if (isEmpty(said) && !(message === last && said.role === 'assistant'))
        yield { message, text: `the ${said.role}’s message is empty` };
    }
  },
  fix: {
    safety: 'safe',
    summary:
      'Take empty messages away; where the history would then begin with the model, a `.` stands for the user’s first.',
    apply(subject, problems) {
      const emptied = new Set(problems.map(({ message }) => subject.transcript.messages[message!]!));
      return withoutParts(subject, [], '.', emptied);
    },
  },
});

/** An empty block is another rule's; what a message is written down in pieces may have an empty one. */
function isEmpty({ role, parts, group }: Message): boolean {
  return (
    (role === 'user' || role === 'assistant') &&
    group === undefined &&
    parts.every((part) => isEmptyText(part) && !isEmptyBlock(part))
  );
}
