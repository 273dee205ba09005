import { mapMessages } from '../../transcript/edit.js';
import type { ContentPart, Part, ResultPart } from '../../transcript/types.js';
import { errorRule } from '../rule.js';

const MOVED = '[image moved below]';

export default errorRule({
  id: 'anthropic/error-result-text-only',
  summary: 'a failed result with an image or a file',
  providers: ['anthropic'],
  error: 'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
  cause: 'A tool failed and sent a screenshot of the failure.',
  reported: ['vellum-ai/vellum-assistant#18387'],
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      if (wire(found) === undefined) continue;
      for (const part of found.parts) {
        if (part.type === 'result' && part.isError === true && part.content.some(isOther))
          yield { message, part, callId: part.callId, text: 'the failed result has more than text' };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Move the image behind the results of its message.',
    apply({ transcript }, problems) {
      const wrong = new Set<Part | undefined>(problems.map(({ part }) => part));
      const isWrong = (part: Part): part is ResultPart => part.type === 'result' && wrong.has(part);
      return mapMessages(transcript, (message) => {
        const moved = message.parts.flatMap((part) => (isWrong(part) ? part.content.filter(isOther) : []));
        if (moved.length === 0) return message;
        const left = message.parts.map((part) => (isWrong(part) ? withNotes(part) : part));
        const end = left.findLastIndex(({ type }) => type === 'result') + 1;
        return { ...message, parts: left.toSpliced(end, 0, ...moved) };
      });
    },
  },
});

function isOther({ type }: ContentPart): boolean {
  return type !== 'text';
}

function withNotes(part: ResultPart): ResultPart {
  return { ...part, content: part.content.map((block) => (isOther(block) ? { type: 'text', text: MOVED } : block)) };
}
