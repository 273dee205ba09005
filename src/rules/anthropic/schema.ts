import { errorRule } from '../rule.js';
import { anthropicFaults, isOfLog } from '../shared/anthropic-schema.js';
import { problemOf } from '../shared/schema.js';

export default errorRule({
  id: 'anthropic/schema',
  summary: 'a message that Anthropic’s published schema rejects',
  providers: ['anthropic'],
  error:
    "messages.0.content.2: Input tag 'image_url' found using 'type' does not match any of the expected tags: " +
    "'document', 'image', 'redacted_thinking', … | messages.1.content.0.tool_result.is_error: Input should be a " +
    'valid boolean',
  cause: 'A message was written by hand, or has blocks of another provider’s format.',
  reported: ['AstrBotDevs/AstrBot#4444', 'ogx-ai/ogx#5982'],
  *check(context) {
    for (const fault of anthropicFaults(context)) {
      if (fault.isExtra) continue;
      const isNote = !context.asRequest && isOfLog(context, context.transcript.messages[fault.message]!);
      yield { ...problemOf(context, fault), isNote };
    }
  },
});
