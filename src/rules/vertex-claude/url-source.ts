import { mediaOf } from '../../formats/shared/media.js';
import { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { mapProblemParts } from '../shared/edits.js';

export default errorRule({
  id: 'vertex-claude/url-source',
  summary: 'an image or document that is only a URL',
  providers: ['vertex-claude'],
  error: 'messages.0.content.1.image.source.base64.data: URL sources are not supported',
  cause: 'Anthropic’s own API fetches URLs, which Vertex AI does not.',
  reported: [
    'BerriAI/litellm#18430',
    'anthropics/anthropic-sdk-typescript#1038',
    'langchain-ai/langchain-google#1088',
    'vercel/ai#5449',
  ],
  *check({ transcript: { messages } }) {
    for (const [message, { parts }] of messages.entries())
      for (const part of parts) {
        const url = part.type === 'media' ? mediaOf(part)?.url : undefined;
        if (url !== undefined) {
          const node = part.raw instanceof JsonNode ? part.raw.get('source') : undefined;
          yield { message, part, node, text: `the ${part.type === 'media' ? part.kind : 'file'} is only a URL` };
        }
      }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace it with a text with the URL.',
    apply: (context, problems) =>
      mapProblemParts(context, problems, (part) =>
        part.type === 'media' ? { type: 'text', text: `[not sent: ${mediaOf(part)?.url}]` } : part,
      ),
  },
});
