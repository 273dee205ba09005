import type { Message } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { lastMessage } from '../shared/ends.js';
import { isEmptyBlock, isEmptyText } from '../shared/text-blocks.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/empty-message',
  summary: 'a message without content',
  providers: ['anthropic'],
  error: 'messages.11: all messages must have non-empty content except for the optional final assistant message',
  cause: 'A filter removed all blocks but kept the message.',
  reported: ['anthropics/claude-code#4416', 'openai/openai-agents-js#1524', 'BerriAI/litellm#39723'],
  /** A message without the field `content` may hold something else: anthropic/schema reports it. */
  *check({ transcript, wire }) {
    const last = lastMessage(transcript);
    for (const [index, message] of transcript.messages.entries()) {
      const json = wire(message);
      if (json !== undefined && json.get('content') === undefined) continue;
      if (isEmpty(message) && !(index === last && message.role === 'assistant'))
        yield { message: index, text: `the ${message.role} message is empty` };
    }
  },
  fix: {
    safety: 'safe',
    summary:
      'Remove empty messages; where the history would then begin with the assistant, set the first user text to `.`.',
    apply(context, problems) {
      const emptied = new Set(problems.map(({ message }) => context.transcript.messages[message!]!));
      return withoutParts(context, [], '.', emptied);
    },
  },
});

/**
 * Empty blocks have a rule of their own, a message stored in pieces may have an empty piece, and a compaction without a
 * summary is not sent.
 */
function isEmpty({ role, parts, group, keeps }: Message): boolean {
  return (
    (role === 'user' || role === 'assistant') &&
    (group ?? keeps) === undefined &&
    parts.every((part) => isEmptyText(part) && !isEmptyBlock(part))
  );
}
