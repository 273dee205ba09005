import { hasContent } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'bedrock/mixed-tool-and-text',
  summary: 'text beside calls or results',
  severity: 'warning',
  providers: ['bedrock-llama'],
  error:
    'messages.4.content: Conversation blocks and tool result blocks cannot be provided in the same turn. (also "… tool use blocks …")',
  cause:
    'The model, or the user, said something in a message with toolUse or toolResult blocks, and the model takes no such mixture: Llama 4 is one.',
  example: {
    bad: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }, { text: 'and?' }] },
      ],
    },
    repaired: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
      ],
    },
  },
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
          yield { message, part, text: `a text stands beside a ${tools.type === 'call' ? 'toolUse' : 'toolResult'}` };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Drop the text.',
    apply: (subject, problems) => withoutParts(subject, problems),
  },
});
