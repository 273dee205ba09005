import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { imagesIn, withImagesReplaced } from '../shared/images.js';

/**
 * Models that do not see, by provider. https://api-docs.deepseek.com: its own API serves none that does; Zhipu's text
 * models: musistudio/claude-code-router#429, 2025-08, https://docs.z.ai/guides/llm/glm-4.6 (2026-11)
 */
const BLIND: ReadonlyMap<string, RegExp> = new Map([
  ['deepseek', /^(?!.*(?:vl|ocr|janus))/i],
  ['zhipu', /^glm-4\.[567](?!v)/i],
]);

export default errorRule({
  id: 'deepseek/image-unsupported',
  summary: 'an image for a model that takes only text',
  providers: ['deepseek', 'zhipu'],
  error: {
    deepseek:
      'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected ' +
      '`text`',
    zhipu: 'API 调用参数有误，请检查文档。 (1210)',
  },
  cause: 'The user or a tool attached an image, or the history is of a model that sees.',
  reported: commaList(`
    Zoo-Code-Org/Zoo-Code#1106, 1jehuang/jcode#310, nesquena/hermes-webui#2297, rikkahub/rikkahub#1433,
    lessweb/deepcode-cli#50, BenedictKing/ccx#95, musistudio/claude-code-router#429
  `),
  *check({ transcript, provider }) {
    if (BLIND.get(provider.id)?.test(transcript.model ?? '') !== true) return;
    for (const { message, part, callId } of imagesIn(transcript))
      yield { message, part, callId, text: 'the message has an image; the API takes only text' };
  },
  fix: {
    safety: 'lossy',
    // the result of a computer is an image, and has no place for a text
    reaches: (_, { part }) =>
      !(part?.raw instanceof JsonNode && part.raw.get('type')?.string === 'computer_screenshot'),
    summary: 'Replace each image with the text `[image removed]`.',
    apply: ({ transcript }, problems) =>
      withImagesReplaced(
        transcript,
        new Map(problems.flatMap(({ part }) => (part ? [[part, '[image removed]']] : []))),
      ),
  },
});
