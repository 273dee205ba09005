import type { Message } from '../../transcript/types.js';
import { defineRule, type RuleContext } from '../rule.js';
import { anthropicFaults, isInRequest, isOfLog } from '../shared/anthropic-schema.js';
import { rewireProblems } from '../shared/edits.js';
import { problemOf } from '../shared/schema.js';

export default defineRule({
  id: 'anthropic/extra-fields',
  summary: 'fields that a block or a message cannot have',
  severity: 'error',
  providers: ['anthropic'],
  error: 'messages.65.content.1.tool_use.text: Extra inputs are not permitted',
  cause:
    'An agent stored its own fields inside of blocks, or kept fields that only responses have, and sent them along.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {}, text: 'hm' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      ],
    },
  },
  reported: ['anthropics/claude-code#4378', 'anthropics/anthropic-sdk-typescript#862', 'caozhiyuan/copilot-api#145'],
  /** Agents strip their own fields before they send a message: in their logs nothing is wrong with them. */
  *check(subject) {
    for (const fault of anthropicFaults(subject)) {
      const said = subject.transcript.messages[fault.message]!;
      const isMessages = subject
        .wire(said)
        ?.members()
        .some(({ value }) => value.is(fault.node));
      const counts = isMessages
        ? isInRequest(subject, said) || (subject.asRequest && isOwnMessage(subject, said))
        : subject.asRequest || !isOfLog(subject, said);
      if (fault.isExtra && counts) yield problemOf(subject, fault);
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Take the fields away.',
    apply: (subject, problems) => rewireProblems(subject, problems, () => undefined),
  },
});

/** Whether the message itself would be sent: not a line of a log that holds it, nor the response that it came in. */
function isOwnMessage({ transcript, provider, wire }: RuleContext, message: Message): boolean {
  return transcript.format === provider.format && wire(message)?.get('usage') === undefined;
}
