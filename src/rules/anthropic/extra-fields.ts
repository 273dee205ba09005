import type { Message } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { anthropicFaults, isInRequest, isOfLog } from '../shared/anthropic-schema.js';
import { rewireProblems } from '../shared/edits.js';
import { problemOf } from '../shared/schema.js';

export default errorRule({
  id: 'anthropic/extra-fields',
  summary: 'unknown fields in a block or message',
  providers: ['anthropic'],
  error: 'messages.65.content.1.tool_use.text: Extra inputs are not permitted',
  cause: 'An agent stored its own fields in blocks, or sent fields that only responses have.',
  reported: ['anthropics/claude-code#4378', 'anthropics/anthropic-sdk-typescript#862', 'caozhiyuan/copilot-api#145'],
  /** Agents strip their own fields before they send a message, so in their logs these are no fault. */
  *check(context) {
    for (const fault of anthropicFaults(context)) {
      const message = context.transcript.messages[fault.message]!;
      const isMessages = context
        .wire(message)
        ?.members()
        .some(({ value }) => value.is(fault.node));
      const counts = isMessages
        ? isInRequest(context, message) || (context.asRequest && isOwnMessage(context, message))
        : context.asRequest || !isOfLog(context, message);
      if (fault.isExtra && counts) yield problemOf(context, fault);
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the fields.',
    apply: (context, problems) => rewireProblems(context, problems, () => undefined),
  },
});

/** Whether the JSON is the message that is sent, not a log line or a response that holds it. */
function isOwnMessage({ transcript, provider, wire }: RuleContext, message: Message): boolean {
  return transcript.format === provider.format && wire(message)?.get('usage') === undefined;
}
