import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { base64Fault, dataUrlIn } from '../shared/base64.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'ollama/image-data',
  summary: 'a picture that is not base64 alone',
  providers: ['ollama'],
  error: 'illegal base64 data at input byte 4',
  cause: 'The `data:` URL of a browser or of OpenAI’s format, or the path of a file, was sent as the picture.',
  reported: ['BerriAI/litellm#18338', 'trycua/cua#602', 'coze-dev/coze-studio#2491', 'ThinkInAIXYZ/deepchat#525'],
  *check({ transcript, wire, asRequest }) {
    for (const [message, found] of transcript.messages.entries())
      for (const node of wire(found)?.get('images')?.items() ?? []) {
        const fault = faultOf(node, asRequest);
        if (fault !== undefined) yield { message, node, text: `the data of a picture ${fault}` };
      }
  },
  fix: {
    safety: 'safe',
    summary: 'Keep the base64 of the URL.',
    reaches: (_, { node }) => dataUrlIn(node!.text) !== undefined,
    apply: (context, problems) => rewireProblems(context, problems, (node) => dataUrlIn(node.text)!.data),
  },
});

/** Recordings may have placeholders for data that was sent. */
function faultOf(node: JsonNode, asRequest: boolean): string | undefined {
  if (!node.isString) return undefined;
  const url = dataUrlIn(node.text);
  if (url !== undefined) return `begins with ${node.text.split(',', 1)[0]},`;
  return asRequest ? base64Fault(node.text) : undefined;
}
