import { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { withoutBlankParts } from '../shared/neighbours.js';
import { isOwn } from '../shared/own-format.js';

export default defineRule({
  id: 'bedrock/blank-text',
  summary: 'a blank text',
  severity: 'error',
  providers: ['bedrock'],
  cleaned: true,
  error:
    'The text field in the ContentBlock object at messages.11.content.0 is blank. Add text to the text field, and try again.',
  cause: 'An empty text was stored beside a toolUse, for a turn that only calls.',
  example: {
    bad: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ text: '' }, { toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
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
    'boto/botocore#3525',
    'continuedev/continue#9767',
    'aws-samples/bedrock-engineer#8',
    'OpenHands/OpenHands#5339',
    'trpc-group/trpc-agent-go#1748',
    'smg-project/smg#1472',
  ],
  *check(subject) {
    for (const [message, said] of subject.transcript.messages.entries()) {
      if (said.role === 'meta' || !isOwn(subject, said)) continue;
      for (const part of said.parts) {
        const text = part.raw instanceof JsonNode ? part.raw.get('text') : undefined;
        if (part.type === 'text' && text?.string?.trim() === '')
          yield {
            message,
            part,
            node: text,
            text: `the text is ${text.string === '' ? 'empty' : 'nothing but white space'}`,
          };
      }
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take the block away.',
    apply: withoutBlankParts,
  },
});
