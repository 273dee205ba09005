import { mapMessages } from '../../transcript/edit.js';
import { repairIds } from '../../transforms/ids.js';
import { errorRule } from '../rule.js';
import { isUnsentReply } from '../shared/ends.js';

export default errorRule({
  id: 'chat/tool-call-id-missing',
  summary: 'a tool call without an id, or a result without the id of its call',
  providers: ['openai-chat', 'mistral'],
  error: {
    'openai-chat azure':
      "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'. | " +
      "Missing required parameter: 'messages[1].tool_calls[0].id'.",
    mistral: 'Tool call id has to be defined.',
  },
  cause: 'The call or its result was stored without the id.',
  reported: ['MadcowD/ell#325', 'HemulGM/DelphiOpenAI#54', 'vercel/ai#2177', 'langchain-ai/langchain#22600'],
  *check(context) {
    const { calls, results } = context.pairing;
    for (const { part, message } of calls)
      if (part.callId === '' && !isUnsentReply(context, message))
        yield { message, part, text: `the call of ${part.tool || 'a tool'} has no id` };
    for (const { part, message } of results) {
      if (part.callId === '' && !part.legacy)
        yield { message, part, text: `the result${part.tool ? ` of ${part.tool}` : ''} has no \`tool_call_id\`` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Give each result the id of the call that it follows.',
    apply({ transcript, pairing }, problems) {
      const repaired = repairIds(transcript, pairing).messages;
      const concerned = new Set(problems.map(({ part }) => part));
      const calls = pairing.calls.filter(
        ({ part, results }) => concerned.has(part) || results.some((result) => concerned.has(result.part)),
      );
      const at = new Set(
        calls.flatMap(({ message, results }) => [message, ...results.map((result) => result.message)]),
      );
      return mapMessages(transcript, (message, index) => (at.has(index) ? repaired[index]! : message));
    },
  },
});
