import { hasContent } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { mapProblemParts } from '../shared/edits.js';
import { isOwn } from '../shared/own-format.js';

export default errorRule({
  id: 'bedrock/error-result-empty',
  summary: 'a failed result without content',
  providers: ['bedrock'],
  error: 'The content field at messages.<n>.content.0.toolResult cannot be empty when status value is error.',
  cause: 'A tool failed, and its error was not stored.',
  reported: ['aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15'],
  /** In Bedrock's own format an empty block counts as content. */
  *check(context) {
    for (const [index, message] of context.transcript.messages.entries()) {
      const own = isOwn(context, message);
      for (const part of message.parts) {
        if (part.type !== 'result' || !part.isError) continue;
        const isEmpty = own ? part.content.length === 0 : !part.content.some(hasContent);
        if (isEmpty)
          yield {
            message: index,
            part,
            callId: part.callId,
            text: `the result${part.callId ? ` (${part.callId})` : ''} is an error without content`,
          };
      }
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Set the text `tool failed without output`.',
    apply: (context, problems) =>
      mapProblemParts(context, problems, (part) =>
        part.type === 'result' ? { ...part, content: [{ type: 'text', text: 'tool failed without output' }] } : part,
      ),
  },
});
