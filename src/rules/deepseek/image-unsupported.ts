import { defineRule } from '../rule.js';
import { imagesIn, withImagesReplaced } from '../shared/images.js';

/** Models that see, which DeepSeek's own API does not serve. https://api-docs.deepseek.com (2026-11) */
const SEES = /vl|ocr|janus/i;

export default defineRule({
  id: 'deepseek/image-unsupported',
  summary: 'an image for a model that takes only text',
  severity: 'error',
  providers: ['deepseek'],
  error:
    'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, ' +
    'expected `text`',
  cause: 'The user or a tool attached an image, or the history is of a model that sees.',
  reported: [
    'Zoo-Code-Org/Zoo-Code#1106',
    '1jehuang/jcode#310',
    'nesquena/hermes-webui#2297',
    'rikkahub/rikkahub#1433',
    'lessweb/deepcode-cli#50',
    'BenedictKing/ccx#95',
  ],
  *check({ transcript }) {
    if (SEES.test(transcript.model ?? '')) return;
    for (const { message, part, callId } of imagesIn(transcript))
      yield { message, part, callId, text: 'the message has an image; the API takes only text' };
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace each image by the text `[image removed]`.',
    apply: ({ transcript }, problems) =>
      withImagesReplaced(
        transcript,
        new Map(problems.flatMap(({ part }) => (part ? [[part, '[image removed]']] : []))),
      ),
  },
});
