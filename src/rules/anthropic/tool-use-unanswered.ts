import { commaList } from '../../lists.js';
import { once } from '../../once.js';
import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { answeredInTurnIn } from '../shared/model-turns.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default errorRule({
  id: 'anthropic/tool-use-unanswered',
  summary: 'a tool_use without its tool_result',
  providers: ['anthropic'],
  error:
    'messages.22: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_…. Each ' +
    '`tool_use` block must have a corresponding `tool_result` block in the next message.',
  cause: 'The run was interrupted, a session was resumed without all results, or history was compacted.',
  reported: commaList(`
    anthropics/claude-code#5989, anthropics/claude-code#2697, anthropics/claude-code#1237, anthropics/claude-code#5060,
    anthropics/claude-code#1686, anthropics/claude-code#5375, anthropics/claude-code#1577, anthropics/claude-code#6521
  `),
  *check(context) {
    const { transcript, pairing, asRequest } = context;
    const isAnswered = once(() => answeredInTurnIn(transcript.messages, asRequest));
    const siteOf = new Map(pairing.calls.map((call) => [call.part as Part | undefined, call]));
    for (const problem of unansweredCalls(context)) {
      if (!isAnswered()(siteOf.get(problem.part)!)) yield problem;
    }
  },
  fix: ANSWER,
});
