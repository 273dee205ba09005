/** Upper bounds of a transcript's tokens by its bytes: most are seen to fit into a window without counting. */
import type { Part, Text, Transcript } from '../../transcript/types.js';

/** What a message, and a request, has at most on top of its texts. */
const PER_MESSAGE = 20;
const PER_REQUEST = 1000;

/** Upper bound on a transcript's tokens, without decoding: a token has at least one byte. Media have no bound. */
export function atMost(
  { messages, tools }: Transcript,
  ofText: (text: Text) => number = most,
  ofImage = Number.POSITIVE_INFINITY,
): number {
  const ofPart = (part: Part): number => {
    switch (part.type) {
      case 'call':
        return ofText(part.input) + most(part.tool) + PER_MESSAGE;
      case 'result':
        return part.content.reduce((sum, content) => sum + ofPart(content), most(part.tool ?? ''));
      case 'media':
        return part.kind === 'image' ? ofImage : Number.POSITIVE_INFINITY;
      default:
        return ofText(part.text ?? '');
    }
  };
  return messages.reduce(
    (sum, { role, name, parts }) =>
      role === 'meta'
        ? sum
        : sum + PER_MESSAGE + most(name ?? '') + parts.reduce((total, part) => total + ofPart(part), 0),
    PER_REQUEST + 2 * ofText(tools ?? ''),
  );
}

/** Bytes: a UTF-16 unit is at most three. */
export function most(text: Text): number {
  return typeof text === 'string' ? 3 * text.length : text.byteLength;
}

/** More than any image has: OpenAI's tiles of the most tokens are 48,169. */
export const MOST_OF_IMAGE = 50_000;

/** Upper bound on the tokens of a transcript with images. */
export function mostTokens(transcript: Transcript): number {
  return atMost(transcript, most, MOST_OF_IMAGE);
}
