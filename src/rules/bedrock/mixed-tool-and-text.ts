import { hasContent } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'bedrock/mixed-tool-and-text',
  summary: 'text in a message with calls or results',
  severity: 'warning',
  providers: ['bedrock-llama'],
  error:
    'messages.4.content: Conversation blocks and tool result blocks cannot be provided in the same turn. (also ' +
    '"… tool use blocks …")',
  cause: 'A message has text and toolUse or toolResult blocks, and the model (such as Llama 4) does not accept both.',
  reported: [
    'strands-agents/harness-sdk#1223',
    'quarkiverse/quarkus-langchain4j#1983',
    'langchain-ai/langchain-aws#141',
  ],
  *check({ transcript: { messages } }) {
    for (const [message, { parts, role }] of messages.entries()) {
      const tools = parts.find(({ type }) => type === 'call' || type === 'result');
      if (role === 'meta' || tools === undefined) continue;
      for (const part of parts)
        if (part.type === 'text' && hasContent(part))
          yield {
            message,
            part,
            text: `a text is in one message with a ${tools.type === 'call' ? 'toolUse' : 'toolResult'}`,
          };
    }
  },
  fix: { safety: 'lossy', summary: 'Remove the text.', apply: (context, problems) => withoutParts(context, problems) },
});
