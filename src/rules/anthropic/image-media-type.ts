import { table } from '../../formats/shared/table.js';
import { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { imagesIn } from '../shared/images.js';
import { isOwn } from '../shared/own-format.js';

/** How images of the types that are taken begin. https://docs.anthropic.com/en/docs/build-with-claude/vision */
const BEGINNINGS = table<RegExp>({
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
});
/** Characters of base64: the smallest GIF has 35 bytes, and so 48 of them; what is shorter stands in the place of an image. */
const LEAST = 40;

export default defineRule({
  id: 'anthropic/image-media-type',
  summary: 'an image that is not of the type it is said to be',
  severity: 'error',
  providers: ['anthropic'],
  error:
    "messages.6.content.5.image.source.base64.data: Image does not match the provided media type image/png | The image was specified using the image/jpeg media type, but the image appears to be a image/png image | media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  cause: 'The type was taken from the name of the file, is one that is not supported, or the bytes were damaged.',
  example: {
    bad: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'iVBORw0KGgo=' } }],
        },
      ],
    },
    repaired: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }],
        },
      ],
    },
  },
  reported: [
    'vybestack/llxprt-code#2130',
    'anthropics/claude-code#15646',
    'anthropics/claude-code#6300',
    'anthropics/claude-code#15746',
    'anthropics/claude-code#13131',
    'anthropics/claude-code#14494',
    'anthropics/claude-code#12041',
    'anthropics/claude-code#3073',
  ],
  *check(subject) {
    for (const { message, part, callId, media } of imagesIn(subject.transcript)) {
      if (media?.base64 === undefined) continue;
      const seen = typeOf(media.base64);
      if (seen === undefined ? !isWhole(media.base64) : seen === media.type) continue;
      if (media.type === undefined && !isOwn(subject, subject.transcript.messages[message]!)) continue; // nothing is said that could be wrong
      const node = part.raw instanceof JsonNode ? part.raw.get('source')?.get('media_type') : undefined;
      const told = media.type === undefined ? 'has no media type' : `is said to be ${media.type}`;
      yield {
        message,
        part,
        node,
        callId,
        text:
          seen === undefined
            ? `the image ${told}, but its bytes are of no image that is taken`
            : `the image ${told}, but its bytes are ${seen}`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Say the type that the bytes have.',
    apply(subject, problems) {
      const media = new Map([...imagesIn(subject.transcript)].map((image) => [image.part, image.media]));
      const typeAt = ({ part }: (typeof problems)[number]) =>
        part?.type === 'media' ? typeOf(media.get(part)?.base64 ?? '') : undefined;
      const known = problems.filter((problem) => typeAt(problem) !== undefined);
      return rewireProblems(subject, known, (_node, problem) => typeAt(problem));
    },
  },
});

function typeOf(base64: string): string | undefined {
  const head = Buffer.from(base64.slice(0, 64), 'base64').toString('latin1');
  return Object.entries(BEGINNINGS).find(([, beginning]) => beginning.test(head))?.[0];
}

/** Whether something was kept of the image: recordings hold other texts in the place of images that were taken out. */
function isWhole(base64: string): boolean {
  return base64.length >= LEAST && /^[A-Za-z0-9+/\-_\s]+=*\s*$/.test(base64.slice(0, 200) + base64.slice(-4));
}
