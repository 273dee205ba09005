/**
 * Chat messages by the schemas of `@mistralai/mistralai` 2.7.0 (2026-11), without which the API refuses any other
 * member. Ids, empty contents and the order of messages have rules of their own.
 * https://docs.mistral.ai/api/#tag/chat (2026-11)
 */
import type { Shape, Shapes } from './shape.js';

const closed = (fields: Shapes): Shape => ({ fields, closed: true });
const typed = (fields: Shapes): Shape => closed({ type: 'string', ...fields });
const orNull = (shape: Shape): Shape => ({ either: [shape, 'null'] });

const text = typed({ text: 'string' });
const reference = typed({ reference_ids: 'array' });
const thinking = typed({
  thinking: { list: { tag: 'type', of: { text, reference, tool_reference: 'object' } } },
  'closed?': 'boolean',
  'signature?': 'string|null',
});
const chunks: Shapes = {
  text,
  thinking,
  reference,
  image_url: typed({ image_url: { either: ['string', closed({ url: 'string', 'detail?': 'string|null' })] } }),
  document_url: typed({ document_url: 'string', 'document_name?': 'string|null' }),
  file: typed({ file_id: 'string' }),
  input_audio: typed({ input_audio: 'string|object' }),
};
const contentOf = (of: Shapes, ...more: readonly Shape[]): Shape => ({
  either: ['string', { list: { tag: 'type', of } }, ...more],
});

const call = closed({
  'id?': 'string',
  'type?': ['function'],
  function: closed({ name: 'string', arguments: 'string|object' }),
  'index?': 'number',
});

/** A message, by its role. */
export const MISTRAL_MESSAGE: Shape = {
  tag: 'role',
  of: {
    system: closed({ role: 'string', content: contentOf({ text, thinking }) }),
    user: closed({ role: 'string', content: contentOf(chunks, 'null') }),
    assistant: closed({
      role: 'string',
      'content?': contentOf(chunks, 'null'),
      'tool_calls?': orNull({ list: call }),
      'prefix?': 'boolean',
    }),
    tool: closed({
      role: 'string',
      content: contentOf(chunks, 'null'),
      'tool_call_id?': 'string|null',
      'name?': 'string|null',
    }),
  },
};
