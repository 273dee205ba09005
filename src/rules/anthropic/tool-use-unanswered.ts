import { mapMessages } from '../../transcript/edit.js';
import type { Message, Part } from '../../transcript/types.js';
import { defineRule, type Problem, type RuleContext } from '../rule.js';
import { isAnsweredInTurn } from '../shared/model-turns.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default defineRule({
  id: 'anthropic/tool-use-unanswered',
  summary: 'a tool_use without its tool_result',
  severity: 'error',
  providers: ['anthropic'],
  error:
    'messages.22: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_…. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  cause:
    'The run was interrupted or crashed, a session was resumed with one of several results, history was compacted, or a text stands before the results.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: 'go on' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: '[tool call interrupted]', is_error: true },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
    },
  },
  reported: [
    'anthropics/claude-code#5989',
    'anthropics/claude-code#2697',
    'anthropics/claude-code#1237',
    'anthropics/claude-code#5060',
    'anthropics/claude-code#1686',
    'anthropics/claude-code#5375',
    'anthropics/claude-code#1577',
    'anthropics/claude-code#6521',
  ],
  *check(subject) {
    const { transcript, pairing, asRequest } = subject;
    const siteOf = new Map(pairing.calls.map((call) => [call.part as Part | undefined, call]));
    for (const problem of unansweredCalls(subject)) {
      if (!isAnsweredInTurn(transcript.messages, siteOf.get(problem.part)!, asRequest)) yield problem;
    }
    yield* resultsBehindOthers(subject);
  },
  fix: {
    ...ANSWER,
    apply: (subject, problems) =>
      mapMessages(ANSWER.apply(subject, problems), (message) =>
        isMisordered(message) && subject.wire(message) !== undefined ? resultsFirst(message) : message,
      ),
  },
});

/** Results have to lead their message: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
function* resultsBehindOthers({ transcript, wire }: RuleContext): Generator<Problem> {
  for (const [message, said] of transcript.messages.entries()) {
    if (!isMisordered(said) || wire(said) === undefined) continue;
    for (const part of said.parts.slice(said.parts.findIndex(({ type }) => type !== 'result'))) {
      if (part.type === 'result')
        yield {
          message,
          part,
          callId: part.callId || undefined,
          text: `the result of ${part.callId || 'a call'} stands behind other content; results come first`,
        };
    }
  }
}

function isMisordered({ role, parts }: Message): boolean {
  return (
    role === 'tool' &&
    parts.some(({ type }, index) => type === 'result' && index > 0 && parts[index - 1]!.type !== 'result')
  );
}

function resultsFirst(message: Message): Message {
  return {
    ...message,
    parts: [
      ...message.parts.filter(({ type }) => type === 'result'),
      ...message.parts.filter(({ type }) => type !== 'result'),
    ],
  };
}
