import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { isUnsentReply } from '../shared/ends.js';

/** What an assistant message may hold in the place of content. https://platform.openai.com/docs/api-reference/chat/create */
const INSTEAD = ['tool_calls', 'function_call', 'refusal', 'audio'];

export default defineRule({
  id: 'chat/content-null',
  summary: 'a message without content',
  severity: 'error',
  providers: ['openai-chat'],
  covers: ['mistral/assistant-empty', 'core/roles-alternate'],
  error: "Invalid value for 'content': expected a string, got null.",
  cause:
    'The content of a user, system or tool message, or of an assistant message without calls, is null or left out.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: null },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
      ],
    },
  },
  reported: [
    'docker/docker-agent#63',
    'langchain-ai/langchainjs#4153',
    'mastra-ai/mastra#5590',
    'peach0x33a/cmdcode2api#7',
  ],
  *check(subject) {
    const { transcript, wire } = subject;
    for (const [message, said] of transcript.messages.entries()) {
      const json = wire(said);
      if (
        json === undefined ||
        said.role === 'meta' ||
        isUnsentReply(subject, message) ||
        !isNothing(json.get('content')) ||
        INSTEAD.some((key) => said.role === 'assistant' && !isNothing(json.get(key)))
      )
        continue;
      const where = said.role === 'assistant' ? 'an assistant message without calls' : `a ${said.role} message`;
      yield {
        message,
        node: json.get('content'),
        text: `the content of ${where} is ${json.get('content') === undefined ? 'missing' : 'null'}`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take a message away that carries nothing, and write an empty text in others.',
    apply(subject, problems) {
      const { wire, rewire } = subject;
      return withMessagesMended(subject, problems, (message) =>
        message.parts.length === 0 ? [] : rewire(message, patch(wire(message)!, { content: '' })),
      );
    },
  },
});

function isNothing(node: JsonNode | undefined): boolean {
  return node === undefined || node.isNull;
}
