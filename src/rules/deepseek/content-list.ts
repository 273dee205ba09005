import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'deepseek/content-list',
  summary: 'a list of content in a result or in the model’s words',
  providers: ['deepseek'],
  error:
    'Failed to deserialize the JSON body into the target type: messages[3]: invalid type: sequence, expected a ' +
    'string at line 1 column 8501',
  cause: 'The client writes all contents as lists, which the API takes only of users and systems.',
  reported: commaList(`
    BerriAI/litellm#9905, tailcallhq/forgecode#2008, QwenLM/qwen-code#2158, MGdaasLab/WHartTest#62,
    huggingface/smolagents#1158
  `),
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      const json = wire(found);
      const content = json?.get('content');
      if (content?.isArray && ['assistant', 'tool'].includes(json!.get('role')?.string ?? ''))
        yield { message, node: content, text: `the content of the ${found.role} message is a list, not a text` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Join the texts.',
    reaches: (_, { node }) => node!.items().every((part) => textOf(part) !== undefined),
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) => {
        const json = context.wire(message)!;
        return context.rewire(message, patch(json, { content: json.get('content')!.items().map(textOf).join('\n') }));
      }),
  },
});

function textOf(part: JsonNode): string | undefined {
  return part.string ?? part.get('text')?.string;
}
