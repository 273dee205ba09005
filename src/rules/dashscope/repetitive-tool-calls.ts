import { callKey } from '../../json/canonical.js';
import type { CallSite } from '../../transcript/pairs.js';
import { defineRule, type RuleContext } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

/** The limit is not documented: this is the number in the one report. */
const MANY = 5;

export default defineRule({
  id: 'dashscope/repetitive-tool-calls',
  summary: 'the same call many times in a row',
  severity: 'warning',
  providers: ['dashscope'],
  error: 'Repetitive tool calls detected',
  cause:
    'The model made the same call many times in a row: the API rejects the whole conversation until they are removed.',
  reported: ['adolfousier/opencrabs#1030'],
  *check(context) {
    for (const streak of streaksIn(context)) {
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
    apply: (context) =>
      withoutParts(
        context,
        streaksIn(context)
          .flatMap((streak) => streak.slice(1, -1))
          .flatMap((call) => [call, ...call.results]),
      ),
  },
});

/** Consecutive calls of one tool with the same arguments, without a user message between them. */
function streaksIn({ transcript: { messages }, pairing }: RuleContext): CallSite[][] {
  const streaks: CallSite[][] = [];
  let key = '';
  let last = -1;
  for (const call of pairing.calls) {
    const userMessage = messages.slice(last + 1, call.message).findLastIndex(({ role }) => role === 'user');
    const nowKey = callKey(call.part);
    if (nowKey === key && userMessage < 0) streaks.at(-1)!.push(call);
    else streaks.push([call]);
    key = nowKey;
    last = call.message;
  }
  return streaks.filter(({ length }) => length >= MANY);
}
