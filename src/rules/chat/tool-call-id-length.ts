import { defineRule } from '../rule.js';
import { digest, renameIds, unfitCallIds } from '../shared/call-ids.js';
import { isUnsentReply } from '../shared/ends.js';

/** From the error's text. One report saw 64. */
const LONGEST = 40;

export default defineRule({
  id: 'chat/tool-call-id-length',
  summary: 'an id of a tool call that is too long',
  severity: 'error',
  providers: ['openai-chat', 'azure', 'github-copilot'],
  alone: true,
  error:
    "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 51 instead.",
  cause: 'Another provider or a gateway made the ids (a prefix and a UUID), and they are sent to OpenAI.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'portkey-6aa6db90-1b84-4155-9f32-f658c97d6b1b',
              type: 'function',
              function: { name: 'ls', arguments: '{}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'portkey-6aa6db90-1b84-4155-9f32-f658c97d6b1b', content: 'a' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_6aa6db901b84', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_6aa6db901b84', content: 'a' },
      ],
    },
  },
  reported: [
    'langmanus/langmanus#119',
    'microsoft/autogen#6377',
    'camel-ai/camel#2215',
    'vercel/ai#8132',
    'langgenius/dify#28987',
    'Portkey-AI/gateway#1062',
    'BerriAI/litellm#17343',
    'anomalyco/opencode#12653',
  ],
  *check(subject) {
    for (const problem of unfitCallIds(subject, fits, (id) => `has ${id.length} characters, ${LONGEST} are allowed`))
      if (!isUnsentReply(subject, problem.message!)) yield problem;
  },
  fix: {
    safety: 'safe',
    summary: 'Give each such id a shorter one, on both sides.',
    apply: ({ transcript, pairing }) =>
      renameIds(transcript, pairing, (id, attempt) => (fits(id) ? id : `call_${digest(`${id}${attempt || ''}`)}`)),
  },
});

function fits(id: string): boolean {
  return id.length <= LONGEST;
}
