import { withMessages } from '../../transcript/edit.js';
import type { Message } from '../../transcript/types.js';
import { errorRule } from '../rule.js';

export default errorRule({
  id: 'gemini/function-response-mixed',
  summary: 'a function response together with other parts',
  providers: ['gemini'],
  error: 'Requests ending with a model turn are not supported. (the last content held a functionResponse and a text)',
  cause: 'The next user text, or a notice of the agent, was put into the content of the responses.',
  reported: ['vellum-ai/vellum-assistant#39495', 'google-gemini/gemini-cli#16137'],
  *check({ transcript: { messages }, wire }) {
    for (const [index, message] of messages.entries()) {
      const other = message.parts.find(({ type }) => type !== 'result');
      if (isMixed(message) && wire(message) !== undefined)
        yield { message: index, part: other, text: 'the function response is in one content with other parts' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Move the other parts to a separate content after the responses.',
    apply({ transcript }, problems) {
      const at = new Set(problems.map(({ message }) => message));
      return withMessages(
        transcript,
        transcript.messages.flatMap((message, index) => (at.has(index) ? apart(message) : message)),
      );
    },
  },
});

function isMixed({ role, parts }: Message): boolean {
  const results = parts.filter(({ type }) => type === 'result').length;
  return role === 'tool' && results > 0 && results < parts.length;
}

function apart(message: Message): Message[] {
  const parts = (isResult: boolean) => message.parts.filter(({ type }) => (type === 'result') === isResult);
  return [
    { ...message, parts: parts(true) },
    { role: 'user', parts: parts(false) },
  ];
}
