import { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { withoutBlankParts } from '../shared/neighbours.js';

export default defineRule({
  id: 'gemini/part-without-data',
  summary: 'a part that holds nothing',
  severity: 'error',
  providers: ['gemini'],
  error: "contents[2].parts[1].data: required oneof field 'data' must have one initialized field",
  cause: 'An empty text was stored beside a functionResponse, or a part was converted that is not known.',
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
  /** An empty text alone is seen to be taken. */
  *check({ transcript: { messages }, wire }) {
    for (const [message, said] of messages.entries()) {
      if (said.role === 'meta' || wire(said) === undefined || wire(said)!.get('candidates') !== undefined) continue;
      for (const part of said.parts)
        if (
          part.raw instanceof JsonNode &&
          part.raw.isObject &&
          holdsNothing(part.raw) &&
          (said.parts.length > 1 || part.raw.get('text') === undefined)
        )
          yield {
            message,
            part,
            node: part.raw,
            text: part.raw.get('text') === undefined ? 'the part holds nothing' : 'the text of the part is empty',
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take the part away.',
    apply: withoutBlankParts,
  },
});

/** A signature may come with an empty text, and is to be sent back so. */
function holdsNothing(part: JsonNode): boolean {
  return part
    .members()
    .every(({ key, value }) => value.isNull || key.text === 'thought' || (key.text === 'text' && value.string === ''));
}
