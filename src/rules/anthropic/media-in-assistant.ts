import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { mapProblemParts } from '../shared/edits.js';

export default errorRule({
  id: 'anthropic/media-in-assistant',
  summary: 'an image or a file in a message of the assistant',
  providers: ['anthropic'],
  cleaned: true,
  error: "messages.1.content: 'image' blocks are not permitted within assistant turns",
  cause: 'An image that a model made was stored in its own message, or a conversion put a tool’s image there.',
  reported: [],
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      if (found.role !== 'assistant' || wire(found) === undefined) continue;
      for (const part of found.parts) {
        const type = typeOf(part);
        if (MEDIA.has(type)) yield { message, part, text: `a message of the assistant has a block of type ${type}` };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace the block with a note.',
    apply: (context, problems) =>
      mapProblemParts(context, problems, (part) => ({ type: 'text', text: `[${MEDIA.get(typeOf(part))} removed]` })),
  },
});

const MEDIA = new Map([
  ['image', 'image'],
  ['document', 'document'],
  ['container_upload', 'file'],
]);

function typeOf({ raw }: Part): string {
  return (raw instanceof JsonNode && raw.get('type')?.string) || '';
}
