import { patch } from '../../json/edit.js';
import { withoutPartsOf } from '../../transcript/edit.js';
import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';

export default defineRule({
  id: 'chat/reasoning-field-unsupported',
  summary: 'reasoning that an endpoint does not take',
  severity: 'error',
  providers: ['groq'],
  error:
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
  cause: 'The history of a model that shows its reasoning is sent to an endpoint that takes no such field.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y', reasoning_content: 'hmm' },
        { role: 'user', content: 'z' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
        { role: 'user', content: 'z' },
      ],
    },
  },
  reported: [
    'janhq/jan#8136',
    'SimonSchubert/Kai#265',
    'agentjido/req_llm#772',
    'tashfeenahmed/freellmapi#1070',
    'egoist/chatwise-releases#1442',
    'Kilo-Org/kilocode#10375',
    'Alishahryar1/free-claude-code#1136',
    'QwenLM/qwen-code#11045',
  ],
  *check({ transcript, wire }) {
    for (const [message, said] of transcript.messages.entries()) {
      const json = wire(said);
      const part = said.parts.find(({ type }) => type === 'thinking');
      const node = json?.get('reasoning_content');
      if (json === undefined ? part !== undefined : node !== undefined)
        yield {
          message,
          part,
          node,
          text:
            json === undefined
              ? 'the message holds reasoning, which becomes `reasoning_content`'
              : 'the message has a `reasoning_content`',
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Take the reasoning away.',
    apply(subject, problems) {
      const { wire, rewire } = subject;
      return withMessagesMended(subject, problems, (message) => {
        const json = wire(message);
        if (json !== undefined) return rewire(message, patch(json, { reasoning_content: undefined }));
        return withoutPartsOf(message, new Set(message.parts.filter(({ type }) => type === 'thinking'))) ?? [];
      });
    },
  },
});
