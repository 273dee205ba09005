import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import { withoutPartsOf } from '../../transcript/edit.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'chat/reasoning-field-unsupported',
  summary: 'reasoning that the endpoint does not accept',
  providers: ['groq'],
  error:
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property " +
    "'reasoning_content' is unsupported)]",
  cause: 'The history of a reasoning model is sent to an endpoint without a `reasoning_content` field.',
  reported: commaList(`
    janhq/jan#8136, SimonSchubert/Kai#265, agentjido/req_llm#772, tashfeenahmed/freellmapi#1070,
    egoist/chatwise-releases#1442, Kilo-Org/kilocode#10375, Alishahryar1/free-claude-code#1136, QwenLM/qwen-code#11045
  `),
  *check({ transcript, wire }) {
    for (const [index, message] of transcript.messages.entries()) {
      const json = wire(message);
      const part = message.parts.find(({ type }) => type === 'thinking');
      const node = json?.get('reasoning_content');
      if (json === undefined ? part !== undefined : node !== undefined)
        yield {
          message: index,
          part,
          node,
          text:
            json === undefined
              ? 'the message has reasoning, which is sent as `reasoning_content`'
              : 'the message has the field `reasoning_content`',
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the reasoning.',
    apply(context, problems) {
      const { wire, rewire } = context;
      return mapProblemMessages(context, problems, (message) => {
        const json = wire(message);
        if (json !== undefined) return rewire(message, patch(json, { reasoning_content: undefined }));
        return withoutPartsOf(message, new Set(message.parts.filter(({ type }) => type === 'thinking'))) ?? [];
      });
    },
  },
});
