import { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { withoutBlankParts } from '../shared/neighbors.js';

export default errorRule({
  id: 'gemini/part-without-data',
  summary: 'a part without data',
  providers: ['gemini'],
  error:
    "contents[2].parts[1].data: required oneof field 'data' must have one initialized field | Unable to submit " +
    'request ' +
    'because it has an empty text parameter. Add a value to the parameter and try again. | Unable to submit request ' +
    'because it must have a text parameter. Add a text parameter and try again.',
  cause: 'An empty text was stored with a functionResponse, or a conversion met an unknown part.',
  reported: [
    '54xzh/FLIT#69',
    'router-for-me/CLIProxyAPI#1292',
    'google-gemini/deprecated-generative-ai-python#697',
    'PublicAffairs/openai-gemini#38',
  ],
  /** Some models took an empty text as the only part, so it counts in a request only. */
  *check({ transcript: { messages }, wire, asRequest }) {
    for (const [index, message] of messages.entries()) {
      if (message.role === 'meta' || wire(message) === undefined || wire(message)!.get('candidates') !== undefined)
        continue;
      for (const part of message.parts)
        if (
          part.raw instanceof JsonNode &&
          part.raw.isObject &&
          holdsNothing(part.raw) &&
          (asRequest || message.parts.length > 1 || part.raw.get('text') === undefined)
        )
          yield {
            message: index,
            part,
            node: part.raw,
            text: part.raw.get('text') === undefined ? 'the part has no data' : 'the text of the part is empty',
          };
    }
  },
  fix: { safety: 'safe', summary: 'Remove the part.', apply: withoutBlankParts },
});

/** A part with an empty text and a signature must be sent back unchanged. */
function holdsNothing(part: JsonNode): boolean {
  return part
    .members()
    .every(({ key, value }) => value.isNull || key.text === 'thought' || (key.text === 'text' && value.string === ''));
}
