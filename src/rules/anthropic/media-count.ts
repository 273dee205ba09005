import { roomOf } from '../../tokens/models.js';
import { errorRule } from '../rule.js';
import { imagesIn, withImagesReplaced } from '../shared/images.js';

/**
 * Of models with a context window of 200,000 tokens, and of all others.
 * https://docs.anthropic.com/en/docs/build-with-claude/vision, 2026-11
 */
const MOST = 100;
const MOST_OF_LARGE = 600;
const SMALL_WINDOW = 200_000;

export default errorRule({
  id: 'anthropic/media-count',
  summary: 'more images than a request may hold',
  providers: ['anthropic'],
  asRequest: true,
  error: 'Too much media: 0 document pages + 102 images > 100',
  cause: 'Screenshots and images that were read stay in the history.',
  reported: ['anthropics/claude-code#19822'],
  *check({ transcript }) {
    const images = [...imagesIn(transcript)];
    const window = roomOf(transcript.model).window ?? SMALL_WINDOW;
    const most = window > SMALL_WINDOW ? MOST_OF_LARGE : MOST;
    for (const { message, part, callId } of images.slice(0, Math.max(0, images.length - most)))
      yield { message, part, callId, text: `the request has ${images.length} images; at most ${most} are allowed` };
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace the first images with notes.',
    apply: ({ transcript }, problems) =>
      withImagesReplaced(transcript, new Map(problems.map(({ part }) => [part!, '[image removed]'] as const))),
  },
});
