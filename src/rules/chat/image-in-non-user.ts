import { addAll, commaList } from '../../lists.js';
import { withMessages } from '../../transcript/edit.js';
import type { MediaPart, Message, Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { imagesOf } from '../shared/images.js';

const MOVED = '[image moved below]';

export default errorRule({
  id: 'chat/image-in-non-user',
  summary: 'an image outside of a user message',
  providers: ['openai-chat', 'azure'],
  alone: true,
  error:
    "Invalid 'messages[234]'. Image URLs are only allowed for messages with role 'user', but this message with " +
    "role 'tool' contains an image URL.",
  cause: 'A screenshot from a tool, or an image from the model, was stored in the tool or assistant message.',
  reported: commaList(`
    OpenHands/OpenHands#7700, OpenHands/OpenHands#10200, openai/openai-node#1030, openai/openai-openapi#523,
    antirez/ds4#933, MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark#189, netease-lcap/wave-agent#1368
  `),
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      const { role, parts } = found;
      if (wire(found) === undefined) continue; // another format may have a place for images in results
      for (const part of parts) {
        const isResult = part.type === 'result';
        if (imagesOf(part).length > 0 && (isResult || role !== 'user'))
          yield {
            message,
            part,
            ...(isResult ? { callId: part.callId } : {}),
            text:
              `${isResult ? `the result${part.tool ? ` of ${part.tool}` : ''}` : `a message of role ${role}`} has ` +
              'an image',
          };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Move the images to a user message after the results.',
    apply({ transcript }, problems) {
      const concerned = new Set(problems.map(({ part }) => part));
      const messages: Message[] = [];
      let waiting: MediaPart[] = []; // images to add after the results
      let end = 0; // after the last message, before log lines that follow it
      const flush = () => {
        if (waiting.length > 0) messages.splice(end, 0, { role: 'user', parts: waiting });
        waiting = [];
      };
      for (const message of transcript.messages) {
        if (message.role !== 'tool' && message.role !== 'meta') flush();
        const bad = message.parts.filter((part) => concerned.has(part));
        addAll(waiting, bad.flatMap(imagesOf));
        messages.push(
          bad.length === 0
            ? message
            : { ...message, parts: message.parts.map((part) => (concerned.has(part) ? withoutImages(part) : part)) },
        );
        if (message.role !== 'meta') end = messages.length;
      }
      flush();
      return withMessages(transcript, messages);
    },
  },
});

function withoutImages(part: Part): Part {
  if (part.type === 'media') return { type: 'text', text: MOVED };
  return part.type === 'result'
    ? {
        ...part,
        content: part.content.map((block) =>
          block.type === 'media' && block.kind === 'image' ? { type: 'text', text: MOVED } : block,
        ),
      }
    : part;
}
