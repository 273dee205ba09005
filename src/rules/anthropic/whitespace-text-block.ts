import { defineRule } from '../rule.js';
import { isBlank } from '../shared/text-blocks.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'anthropic/whitespace-text-block',
  summary: 'a text block of nothing but white space',
  severity: 'error',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages: text content blocks must contain non-whitespace text',
  cause: 'A blank was put where an empty text would be refused, or the model wrote nothing but line breaks.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: ' ' },
        { role: 'assistant', content: 'y' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: '.' },
        { role: 'assistant', content: 'y' },
      ],
    },
  },
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
            text: `a text of the ${role === 'tool' ? 'user' : role}’s message is nothing but white space`,
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take blank texts away; where the user’s first message would be empty, a `.` stands for it.',
    apply: (subject, problems) => withoutParts(subject, problems, '.'),
  },
});
