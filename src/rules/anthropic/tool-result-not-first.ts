import { mapMessages } from '../../transcript/edit.js';
import type { Message } from '../../transcript/types.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'anthropic/tool-result-not-first',
  summary: 'a tool_result behind other content of its message',
  severity: 'error',
  providers: ['anthropic'],
  error:
    'messages.156: Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following ' +
    '`tool_use` blocks must begin with a matching number of `tool_result` blocks.',
  cause: 'The text of the user, a reminder or an image was put before the results.',
  reported: ['Zoo-Code-Org/Zoo-Code#1705'],
  /** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      if (!isMisordered(found) || wire(found) === undefined) continue;
      for (const part of found.parts.slice(found.parts.findIndex(({ type }) => type !== 'result')))
        if (part.type === 'result')
          yield {
            message,
            part,
            callId: part.callId || undefined,
            text: `the result of ${part.callId || 'a call'} comes after other content; results must come first`,
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Move the results to the beginning of their message.',
    apply({ transcript }, problems) {
      const at = new Set(problems.map(({ message }) => message));
      return mapMessages(transcript, (message, index) => (at.has(index) ? resultsFirst(message) : message));
    },
  },
});

function isMisordered({ role, parts }: Message): boolean {
  const first = parts.findIndex(({ type }) => type !== 'result');
  return role === 'tool' && first >= 0 && parts.slice(first).some(({ type }) => type === 'result');
}

function resultsFirst(message: Message): Message {
  const isResult = ({ type }: Message['parts'][number]) => type === 'result';
  return {
    ...message,
    parts: [...message.parts.filter(isResult), ...message.parts.filter((part) => !isResult(part))],
  };
}
