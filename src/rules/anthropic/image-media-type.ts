import { typeOfBytes } from '../../formats/shared/image-types.js';
import { mediaOf } from '../../formats/shared/media.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { imagesIn } from '../shared/images.js';
import { isOwn } from '../shared/own-format.js';

/** In base64 characters. The smallest GIF has 35 bytes, so 48 characters; shorter data is a placeholder. */
const LEAST = 40;

export default errorRule({
  id: 'anthropic/image-media-type',
  summary: 'an image whose bytes do not match its media type',
  providers: ['anthropic'],
  error:
    'messages.6.content.5.image.source.base64.data: Image does not match the provided media type image/png | ' +
    'The image was specified using the image/jpeg media type, but the image appears to be a image/png image | ' +
    "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  cause: 'The type was derived from the file name, is not supported, or the bytes were damaged.',
  reported: commaList(`
    vybestack/llxprt-code#2130, anthropics/claude-code#15646, anthropics/claude-code#6300,
    anthropics/claude-code#15746, anthropics/claude-code#13131, anthropics/claude-code#14494,
    anthropics/claude-code#12041, anthropics/claude-code#3073
  `),
  *check(context) {
    for (const { message, part, callId, media } of imagesIn(context.transcript)) {
      if (media?.base64 === undefined) continue;
      const actual = typeOfBytes(media.base64);
      if (actual === undefined ? !isWhole(media.base64) : actual === media.type) continue;
      if (media.type === undefined && !isOwn(context, context.transcript.messages[message]!)) continue;
      const node = part.raw instanceof JsonNode ? part.raw.get('source')?.get('media_type') : undefined;
      const declared = media.type === undefined ? 'has no media type' : `has the media type ${media.type}`;
      yield {
        message,
        part,
        node,
        callId,
        text:
          actual === undefined
            ? `the image ${declared}, but its bytes are not an accepted image`
            : `the image ${declared}, but its bytes are ${actual}`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set the media type that the bytes have.',
    reaches: (_, { node, part }) => node !== undefined && typeOfImage(part) !== undefined,
    apply: (context, problems) => rewireProblems(context, problems, (_, { part }) => typeOfImage(part)),
  },
});

function typeOfImage(part: Part | undefined): string | undefined {
  return part?.type === 'media' ? typeOfBytes(mediaOf(part)?.base64 ?? '') : undefined;
}

/** Whether the data is an image: recordings have placeholder texts for removed images. */
function isWhole(base64: string): boolean {
  return base64.length >= LEAST && /^[A-Za-z0-9+/\-_\s]+=*\s*$/.test(base64.slice(0, 200) + base64.slice(-4));
}
