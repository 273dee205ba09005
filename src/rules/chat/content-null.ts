import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { isUnsentReply } from '../shared/ends.js';

/**
 * Fields that an assistant message may have instead of content.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
const INSTEAD = ['tool_calls', 'function_call', 'refusal', 'audio'];

export default errorRule({
  id: 'chat/content-null',
  summary: 'a message without content',
  providers: ['openai-chat'],
  covers: ['mistral/assistant-empty', 'core/roles-alternate'],
  error: "Invalid value for 'content': expected a string, got null.",
  cause: 'The content is null or missing in a user, system or tool message, or in an assistant message without calls.',
  reported: commaList(`
    docker/docker-agent#63, langchain-ai/langchainjs#4153, mastra-ai/mastra#5590, peach0x33a/cmdcode2api#7
  `),
  *check(context) {
    const { transcript, wire } = context;
    for (const [index, message] of transcript.messages.entries()) {
      const json = wire(message);
      if (
        json === undefined ||
        message.role === 'meta' ||
        isUnsentReply(context, index) ||
        !isNothing(json.get('content')) ||
        INSTEAD.some((key) => message.role === 'assistant' && !isNothing(json.get(key)))
      )
        continue;
      const where = message.role === 'assistant' ? 'an assistant message without calls' : `a ${message.role} message`;
      yield {
        message: index,
        node: json.get('content'),
        text: `the content of ${where} is ${json.get('content') === undefined ? 'missing' : 'null'}`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove messages without any content, and set empty text in the others.',
    apply(context, problems) {
      const { wire, rewire } = context;
      return mapProblemMessages(context, problems, (message) =>
        message.parts.length === 0 ? [] : rewire(message, patch(wire(message)!, { content: '' })),
      );
    },
  },
});

function isNothing(node: JsonNode | undefined): boolean {
  return node === undefined || node.isNull;
}
