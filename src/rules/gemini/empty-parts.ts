import { defineRule } from '../rule.js';
import { withoutMessages } from '../shared/neighbours.js';

export default defineRule({
  id: 'gemini/empty-parts',
  summary: 'a turn without parts',
  severity: 'error',
  providers: ['gemini'],
  covers: ['gemini/ends-with-model'],
  error:
    'Unable to submit request because it must include at least one parts field, which describes the prompt input. | GenerateContentRequest.contents[1].parts: contents.parts must not be empty.',
  cause: 'The model answered with neither text nor calls, or all parts were lost where the history was converted.',
  example: {
    bad: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [] },
        { role: 'user', parts: [{ text: 'y' }] },
      ],
    },
    repaired: { contents: [{ role: 'user', parts: [{ text: 'x' }, { text: 'y' }] }] },
  },
  reported: [
    'langgenius/dify#30566',
    'router-for-me/CLIProxyAPI#176',
    'genkit-ai/genkit#3690',
    'vercel/ai#3775',
    'livekit/agents#1397',
    'egoist/chatwise-releases#250',
  ],
  /** A response may be empty: it is what a request holds that may not. */
  *check({ transcript: { messages }, wire }) {
    for (const [message, said] of messages.entries()) {
      if (said.role === 'meta' || said.role === 'system' || said.parts.length > 0) continue;
      if (wire(said)?.get('candidates') === undefined)
        yield { message, text: `the turn of the ${said.role === 'assistant' ? 'model' : 'user'} has no parts` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Take the turn away and join its neighbours.',
    apply: (subject, problems) => withoutMessages(subject, new Set(problems.map(({ message }) => message!))),
  },
});
