import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { followsCallIn } from '../shared/model-turns.js';
import { CLEAR_STRAYS, strayResults } from '../shared/results.js';

export default errorRule({
  id: 'gemini/function-response-turn-order',
  summary: 'a function response that does not follow its call',
  providers: ['gemini'],
  error: 'Please ensure that function response turn comes immediately after a function call turn',
  cause: 'Another turn comes between the call and its response, or the call was cut off.',
  reported: ['langchain-ai/langchain#27799', 'google-gemini/gemini-cli#26956'],
  /** Adjacent model turns count as one turn, followed by the responses to all its calls. */
  *check(context) {
    const following = new Set<Part | undefined>(
      context.pairing.results.filter(followsCallIn(context.transcript.messages)).map(({ part }) => part),
    );
    for (const problem of strayResults(context)) if (!following.has(problem.part)) yield problem;
  },
  fix: CLEAR_STRAYS,
});
