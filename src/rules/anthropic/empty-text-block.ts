import { commaList } from '../../lists.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { isEmptyBlock } from '../shared/text-blocks.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/empty-text-block',
  summary: 'an empty text block',
  providers: ['anthropic'],
  cleaned: true,
  error: 'messages: text content blocks must be non-empty',
  cause: 'A tool_use was stored with an empty text, the prompt was empty, or a tool printed nothing.',
  reported: commaList(`
    stackblitz/bolt.new#7426, stackblitz/bolt.new#4701, stackblitz/bolt.new#7441, anthropics/claude-code#59812,
    anthropics/claude-code#53473, BiFangKNT/mtga#68, prateekmedia/claude-agent-sdk-pi#15, anomalyco/opencode#15715
  `),
  *check({ transcript }) {
    for (const [message, { role, parts }] of transcript.messages.entries()) {
      for (const part of parts) {
        if (isEmptyBlock(part))
          yield { message, part, text: `a text block of the ${role === 'tool' ? 'user' : role} message is empty` };
        if (part.type !== 'result') continue;
        for (const inner of part.content)
          if (isEmptyBlock(inner))
            yield {
              message,
              part: inner,
              callId: part.callId || undefined,
              text: `a text block of the result${part.callId ? ` of ${part.callId}` : ''} is empty`,
            };
      }
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the empty blocks.',
    apply(context, problems) {
      const removed = new Set(problems.map(({ part }) => part));
      const withoutEmpty = (part: Part) =>
        part.type === 'result' && part.content.some((inner) => removed.has(inner))
          ? { ...part, content: part.content.filter((inner) => !removed.has(inner)) }
          : part;
      const transcript = mapMessages(context.transcript, (message) => mapParts(message, withoutEmpty));
      return withoutParts({ ...context, transcript }, problems, '.');
    },
  },
});
