import { callKey } from '../../json/canonical.js';
import type { CallSite } from '../../transcript/pairs.js';
import { defineRule, type RuleContext } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

/** The number is not documented; it is what the one report had. */
const MANY = 5;

export default defineRule({
  id: 'dashscope/repetitive-tool-calls',
  summary: 'the same call again and again',
  severity: 'warning',
  providers: ['dashscope'],
  error: 'Repetitive tool calls detected',
  cause:
    'The same call with the same arguments many times in a row: the whole conversation is refused until the rounds are gone.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c2', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c2', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c3', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c3', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c4', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c4', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c5', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c5', content: 'a' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c5', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c5', content: 'a' },
      ],
    },
  },
  reported: ['adolfousier/opencrabs#1030'],
  *check(subject) {
    for (const streak of streaksIn(subject)) {
      const { part, message } = streak.at(-1)!;
      yield {
        message,
        part,
        callId: part.callId,
        text: `${part.tool || 'a tool'} is called ${streak.length} times in a row with the same arguments`,
      };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Keep the first and the last of these calls, with their results.',
    apply: (subject) =>
      withoutParts(
        subject,
        streaksIn(subject)
          .flatMap((streak) => streak.slice(1, -1))
          .flatMap((call) => [call, ...call.results]),
      ),
  },
});

/** Calls of one tool with the same arguments, one after the other, without a word of the user between them. */
function streaksIn({ transcript: { messages }, pairing }: RuleContext): CallSite[][] {
  const streaks: CallSite[][] = [];
  let key = '';
  let asked = -1;
  for (const call of pairing.calls) {
    const nowAsked = messages.slice(asked + 1, call.message).findLastIndex(({ role }) => role === 'user');
    const nowKey = callKey(call.part);
    if (nowKey === key && nowAsked < 0) streaks.at(-1)!.push(call);
    else streaks.push([call]);
    key = nowKey;
    asked = call.message;
  }
  return streaks.filter(({ length }) => length >= MANY);
}
