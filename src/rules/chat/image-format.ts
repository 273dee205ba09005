import { typeOfBytes } from '../../formats/shared/image-types.js';
import { JsonNode } from '../../json/node.js';
import { errorRule, type RuleContext } from '../rule.js';
import { base64Fault, dataUrlIn } from '../shared/base64.js';
import { rewireProblems } from '../shared/edits.js';
import { imagesIn } from '../shared/images.js';
import { isOwn } from '../shared/own-format.js';

/** https://platform.openai.com/docs/guides/images-vision, 2026-11 */
const ACCEPTED = /^image\/(?:png|jpe?g|gif|webp)$/i;

export default errorRule({
  id: 'chat/image-format',
  summary: 'an image that OpenAI does not take',
  providers: ['openai-chat', 'azure', 'openai-responses', 'github-copilot'],
  alone: true,
  asRequest: true,
  error:
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', " +
    "'jpeg', 'gif', 'webp']. | Invalid base64 image_url. | Expected a base64-encoded data URL with an image MIME " +
    'type ' +
    "(e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type 'image/svg+xml'.",
  cause: 'A vector graphic, a photo of a phone or a file of an unknown type was attached, or its data was cut.',
  reported: [
    'STranslate/STranslate#277',
    'CosmosShadow/gptpdf#6',
    'marketing-factory/ai-filemetadata#18',
    'yuji-hatakeyama/opencode-gpt-imagegen#82',
  ],
  *check(context) {
    for (const { message, part, callId, node, url } of urlsIn(context)) {
      const isAccepted = ACCEPTED.test(url.type);
      const fault = isAccepted ? base64Fault(url.data) : `has the type ${url.type || 'of a text'}`;
      if (fault !== undefined) yield { message, part, callId, node, text: `the image ${fault}` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set the media type that the bytes have.',
    reaches: (_, { node }) => trueUrl(node!.text) !== undefined,
    apply: (context, problems) => rewireProblems(context, problems, (node) => trueUrl(node.text)),
  },
});

/** Data URLs of images in messages of the provider's own format. */
function* urlsIn(context: RuleContext) {
  for (const image of imagesIn(context.transcript)) {
    const { raw } = image.part;
    if (!(raw instanceof JsonNode) || !isOwn(context, context.transcript.messages[image.message]!)) continue;
    const node = raw.get('image_url')?.get('url') ?? raw.get('image_url');
    const url = node?.isString ? dataUrlIn(node.text) : undefined;
    if (url !== undefined) yield { ...image, node: node!, url };
  }
}

/** The URL with the type of its bytes; undefined where they are no accepted image, or have that type. */
function trueUrl(text: string): string | undefined {
  const { type, data } = dataUrlIn(text)!;
  const actual = base64Fault(data) === undefined ? typeOfBytes(data) : undefined;
  return actual === undefined || actual === type ? undefined : `data:${actual};base64,${data}`;
}
