/**
 * Messages of version 2 by the wire types of `cohere-ai` 8.1.0 (2026-11), in which what is optional may be null.
 * https://docs.cohere.com/reference/chat (2026-11)
 */
import type { Shape, Shapes } from './shape.js';

const closed = (fields: Shapes): Shape => ({ fields, closed: true });
const orNull = (shape: Shape): Shape => ({ either: [shape, 'null'] });
const typed = (fields: Shapes): Shape => closed({ type: 'string', ...fields });
const contentOf = (of: Shapes): Shape => ({ either: ['string', { list: { tag: 'type', of } }] });

const text = typed({ text: 'string' });
const image_url = typed({ image_url: closed({ url: 'string', 'detail?': orNull(['low', 'high', 'auto']) }) });
const document = typed({ document: closed({ data: 'object|string', 'id?': 'string|null' }) });
const call = closed({
  id: 'string',
  type: ['function'],
  'function?': orNull(closed({ 'name?': 'string|null', 'arguments?': 'string|null' })),
});

/** A message, by its role. */
export const COHERE_MESSAGE: Shape = {
  tag: 'role',
  of: {
    system: closed({ role: 'string', content: contentOf({ text }) }),
    user: closed({ role: 'string', content: contentOf({ text, image_url }) }),
    assistant: closed({
      role: 'string',
      'content?': orNull(contentOf({ text, thinking: typed({ thinking: 'string' }) })),
      'tool_calls?': orNull({ list: call }),
      'tool_plan?': 'string|null',
      'citations?': 'array|null',
    }),
    tool: closed({
      role: 'string',
      tool_call_id: 'string',
      'name?': 'string', // OpenAI's; whether the API refuses it is not known
      content: contentOf({ text, document }),
    }),
  },
};
