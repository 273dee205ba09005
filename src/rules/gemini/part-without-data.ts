import { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { withoutBlankParts } from '../shared/neighbors.js';

export default defineRule({
  id: 'gemini/part-without-data',
  summary: 'a part without data',
  severity: 'error',
  providers: ['gemini'],
  error: "contents[2].parts[1].data: required oneof field 'data' must have one initialized field",
  cause: 'An empty text was stored with a functionResponse, or a conversion met an unknown part.',
  example: {
    bad: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }, { text: '' }] },
      ],
    },
    repaired: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
  },
  reported: ['54xzh/FLIT#69'],
  /** The API accepts an empty text as the only part. */
  *check({ transcript: { messages }, wire }) {
    for (const [index, message] of messages.entries()) {
      if (message.role === 'meta' || wire(message) === undefined || wire(message)!.get('candidates') !== undefined)
        continue;
      for (const part of message.parts)
        if (
          part.raw instanceof JsonNode &&
          part.raw.isObject &&
          holdsNothing(part.raw) &&
          (message.parts.length > 1 || part.raw.get('text') === undefined)
        )
          yield {
            message: index,
            part,
            node: part.raw,
            text: part.raw.get('text') === undefined ? 'the part has no data' : 'the text of the part is empty',
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the part.',
    apply: withoutBlankParts,
  },
});

/** A part with an empty text and a signature must be sent back unchanged. */
function holdsNothing(part: JsonNode): boolean {
  return part
    .members()
    .every(({ key, value }) => value.isNull || key.text === 'thought' || (key.text === 'text' && value.string === ''));
}
