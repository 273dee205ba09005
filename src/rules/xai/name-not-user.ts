import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'xai/name-not-user',
  summary: 'a name on a message that is not the user’s',
  providers: ['xai'],
  error: "Only messages of role 'user' can have a name.",
  cause: 'A framework names its agents or its example messages, as OpenAI allows.',
  reported: ['BerriAI/litellm#9720'],
  /** Results may name their tool. */
  *check({ transcript: { messages }, wire }) {
    for (const [message, found] of messages.entries()) {
      const name = found.role === 'system' || found.role === 'assistant' ? wire(found)?.get('name') : undefined;
      if (name?.isString) yield { message, node: name, text: `the ${found.role} message has a name` };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the name.',
    apply: (context, problems) => rewireProblems(context, problems, () => undefined),
  },
});
