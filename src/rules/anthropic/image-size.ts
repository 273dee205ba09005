import { errorRule } from '../rule.js';
import { bytesOf, imagesIn, withImagesReplaced } from '../shared/images.js';

/** https://docs.anthropic.com/en/docs/build-with-claude/vision */
const MOST_BYTES = 5_242_880;

export default errorRule({
  id: 'anthropic/image-size',
  summary: 'an image of more than 5 MB',
  providers: ['anthropic', 'bedrock'],
  error:
    'messages.168.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5649924 ' +
    'bytes > 5242880 bytes',
  cause: 'Screenshots stay in the history. Bedrock counts the base64 text, so its limit is 3.75 MiB of image.',
  reported: [
    'earendil-works/pi#424',
    'aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#778',
  ],
  /** Bedrock counts the base64 characters. */
  *check({ transcript, provider }) {
    for (const { message, part, callId, media } of imagesIn(transcript)) {
      if (media?.base64 === undefined) continue;
      const bytes = provider.id === 'bedrock' ? media.base64.length : bytesOf(media.base64);
      if (bytes > MOST_BYTES)
        yield {
          message,
          part,
          callId,
          text:
            `the image has ${bytes} bytes${provider.id === 'bedrock' ? ' in base64' : ''}; at most ${MOST_BYTES} ` +
            'are allowed',
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace the image with a note with its size.',
    apply({ transcript }, problems) {
      const wrong = new Set(problems.map(({ part }) => part));
      const notes = [...imagesIn(transcript)].flatMap(({ part, media }) =>
        wrong.has(part)
          ? [
              [
                part,
                `[image removed: ${(bytesOf(media!.base64!) / 1e6).toFixed(1)} MB ` +
                  `${media!.type?.replace(/^image\//, '') ?? 'image'}]`,
              ] as const,
            ]
          : [],
      );
      return withImagesReplaced(transcript, new Map(notes));
    },
  },
});
