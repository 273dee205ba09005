import { hasContent } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { withPartsMended } from '../shared/edits.js';
import { isOwn } from '../shared/own-format.js';

export default defineRule({
  id: 'bedrock/error-result-empty',
  summary: 'a failed result without content',
  severity: 'error',
  providers: ['bedrock'],
  error: 'The content field at messages.<n>.content.0.toolResult cannot be empty when status value is error.',
  cause: 'A tool failed, and nothing was stored of why.',
  example: {
    bad: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [], status: 'error' } }] },
      ],
    },
    repaired: {
      toolConfig: { tools: [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }] },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 't1', content: [{ text: 'tool failed without output' }], status: 'error' } },
          ],
        },
      ],
    },
  },
  reported: ['aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15'],
  /** In this format a block that says nothing is content too. */
  *check(subject) {
    for (const [message, said] of subject.transcript.messages.entries()) {
      const own = isOwn(subject, said);
      for (const part of said.parts) {
        if (part.type !== 'result' || !part.isError) continue;
        const isEmpty = own ? part.content.length === 0 : !part.content.some(hasContent);
        if (isEmpty)
          yield {
            message,
            part,
            callId: part.callId,
            text: `the result${part.callId ? ` (${part.callId})` : ''} is an error and has no content`,
          };
      }
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Say that the tool failed without output.',
    apply: (subject, problems) =>
      withPartsMended(subject, problems, (part) =>
        part.type === 'result' ? { ...part, content: [{ type: 'text', text: 'tool failed without output' }] } : part,
      ),
  },
});
