import { patch } from '../../json/edit.js';
import { defineRule, type RuleContext } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';
import { settingOf } from '../shared/own-format.js';

/** Models that do not think unless they are told to. https://api-docs.deepseek.com/guides/thinking_mode */
const PLAIN = /deepseek-(?:chat|coder|v[23])/i;

export default defineRule({
  id: 'deepseek/reasoning-content-missing',
  summary: 'a message with calls and without its reasoning',
  severity: 'error',
  providers: ['deepseek'],
  error:
    'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
  cause: 'In thinking mode with tools, the client stored the assistant’s message without `reasoning_content`.',
  asRequest: true,
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
          reasoning_content: '',
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      ],
    },
  },
  reported: [
    'abhigyanpatwari/GitNexus#43',
    'continuedev/continue#11285',
    'continuedev/continue#10193',
    'continuedev/continue#9913',
    'continuedev/continue#9720',
    'continuedev/continue#9606',
    'continuedev/continue#9940',
    'continuedev/continue#10498',
  ],
  *check(subject) {
    const { transcript, wire } = subject;
    if (!mayThink(subject)) return;
    for (const [message, said] of transcript.messages.entries()) {
      const call = said.parts.find((part) => part.type === 'call');
      const reasoning = wire(said)?.get('reasoning_content');
      if (
        call === undefined ||
        reasoning?.isString ||
        (reasoning === undefined && wire(said) === undefined && said.parts.some(({ type }) => type === 'thinking'))
      )
        continue;
      yield {
        message,
        part: call,
        callId: call.callId,
        text: `the message that calls ${call.tool || 'a tool'} has no reasoning`,
      };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Write the reasoning that stands in `reasoning`, or an empty one.',
    reaches: ({ transcript, wire }, { message }) => wire(transcript.messages[message!]!) !== undefined,
    apply(subject, problems) {
      const { wire, rewire } = subject;
      return withMessagesMended(subject, problems, (message) => {
        const json = wire(message);
        return json === undefined
          ? message
          : rewire(message, patch(json, { reasoning_content: json.get('reasoning')?.string ?? '' }));
      });
    },
  },
});

/** Whether the model may be in thinking mode: nothing says that it is not. */
function mayThink(subject: RuleContext): boolean {
  const thinking = settingOf(subject, 'thinking')?.get('type')?.string;
  return thinking === undefined ? !PLAIN.test(subject.transcript.model ?? '') : thinking !== 'disabled';
}
