import { patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { dataUrlIn } from '../shared/base64.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'ollama/content-list',
  summary: 'content that is a list, where Ollama takes a text',
  providers: ['ollama'],
  error: 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
  cause: 'The history is in OpenAI’s format, in which content can be a list of texts and pictures.',
  covers: ['ollama/schema'],
  reported: [
    'ollama/ollama#6451',
    'BerriAI/litellm#11273',
    'BerriAI/litellm#9959',
    'cloud-apim/otoroshi-llm-extension#72',
  ],
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      const content = wire(found)?.get('content');
      if (content?.isArray)
        yield { message, node: content, text: `the content of the ${found.role} message is a list, not a text` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Join the texts, and put the pictures beside them.',
    reaches: (_, { node }) => node!.items().every((block) => (textOf(block) ?? pictureIn(block)) !== undefined),
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) => {
        const json = context.wire(message)!;
        const blocks = json.get('content')!.items();
        const images = json.get('images');
        const pictures = blocks.flatMap((block) => pictureIn(block) ?? []);
        const beside = images?.isArray ? patchItems(images, [...images.items(), ...pictures]) : pictures;
        return context.rewire(
          message,
          patch(json, {
            content: blocks.flatMap((block) => textOf(block) ?? []).join('\n'),
            ...(pictures.length === 0 ? {} : { images: beside }),
          }),
        );
      }),
  },
});

function textOf(block: JsonNode): string | undefined {
  return block.string ?? block.get('text')?.string;
}

/** The base64 of a picture. */
function pictureIn(block: JsonNode): string | undefined {
  const held = block.get('image_url');
  return dataUrlIn(held?.string ?? held?.get('url')?.string ?? '')?.data;
}
