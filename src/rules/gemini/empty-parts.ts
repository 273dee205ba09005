import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { withoutMessages } from '../shared/neighbors.js';

export default errorRule({
  id: 'gemini/empty-parts',
  summary: 'a turn without parts',
  providers: ['gemini'],
  covers: ['gemini/ends-with-model'],
  error:
    'Unable to submit request because it must include at least one parts field, which describes the prompt ' +
    'input. | GenerateContentRequest.contents[1].parts: contents.parts must not be empty.',
  cause: 'The model returned neither text nor calls, or a conversion lost all parts.',
  reported: commaList(`
    langgenius/dify#30566, router-for-me/CLIProxyAPI#176, genkit-ai/genkit#3690, vercel/ai#3775, livekit/agents#1397,
    egoist/chatwise-releases#250
  `),
  /** A response may be empty, a request may not. */
  *check({ transcript: { messages }, wire }) {
    for (const [index, message] of messages.entries()) {
      if (message.role === 'meta' || message.role === 'system' || message.parts.length > 0) continue;
      if (wire(message)?.get('candidates') === undefined)
        yield {
          message: index,
          text: `the ${message.role === 'assistant' ? 'model' : 'user'} turn has no parts`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the turn and join the turns around it.',
    apply: (context, problems) => withoutMessages(context, new Set(problems.map(({ message }) => message!))),
  },
});
