import { errorRule } from '../rule.js';
import { isBlank } from '../shared/text-blocks.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/whitespace-text-block',
  summary: 'a text block that is only white space',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages: text content blocks must contain non-whitespace text',
  cause: 'A space was written to avoid an empty text, or the model wrote only line breaks.',
  reported: [
    'anthropics/claude-code#23352',
    'anthropics/claude-code#23440',
    'continuedev/continue#9605',
    'NousResearch/hermes-agent#63983',
  ],
  *check({ transcript }) {
    for (const [message, { role, parts }] of transcript.messages.entries()) {
      for (const part of parts)
        if (isBlank(part))
          yield {
            message,
            part,
            text: `a text of the ${role === 'tool' ? 'user' : role} message is only white space`,
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the blank texts; where the first user message would become empty, set its text to `.`.',
    apply: (context, problems) => withoutParts(context, problems, '.'),
  },
});
