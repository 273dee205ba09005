import { sizeOf } from '../../tokens/images.js';
import { errorRule } from '../rule.js';
import { imagesIn, withImagesReplaced } from '../shared/images.js';

/** With more images than `MANY`, no side may be longer. https://docs.anthropic.com/en/docs/build-with-claude/vision */
const MANY = 20;
const LONGEST_SIDE = 2_000;

export default errorRule({
  id: 'anthropic/image-many-dimensions',
  summary: 'an image that is too large among many images',
  providers: ['anthropic'],
  error: 'An image in the conversation exceeds the dimension limit for many-image requests (2000px).',
  cause: 'Screenshots accumulate: with more than 20 images, none may be wider or higher than 2000 pixels.',
  reported: ['anthropics/claude-code#49720', 'markusylisiurunen/tau#202', 'Gitlawb/openclaude#520'],
  *check({ transcript }) {
    const images = [...imagesIn(transcript)];
    if (images.length <= MANY) return;
    for (const { message, part, callId, media } of images) {
      const size = media?.base64 === undefined ? undefined : sizeOf(media.base64);
      if (size !== undefined && Math.max(size.width, size.height) > LONGEST_SIDE)
        yield {
          message,
          part,
          callId,
          text:
            `the image is ${size.width} x ${size.height}; with ${images.length} images none may be wider or ` +
            `higher than ${LONGEST_SIDE}`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace each image that is too large with a note.',
    apply: ({ transcript }, problems) =>
      withImagesReplaced(
        transcript,
        new Map(problems.flatMap(({ part }) => (part === undefined ? [] : [[part, '[image removed]'] as const]))),
      ),
  },
});
