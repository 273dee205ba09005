import { commaList } from '../../lists.js';
import type { Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { followsCallIn } from '../shared/model-turns.js';
import { missingOrSplitResults, RESULTS_TOGETHER } from '../shared/results.js';

export default errorRule({
  id: 'gemini/function-response-count',
  summary: 'fewer function responses than calls in a turn',
  providers: ['gemini'],
  error:
    'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
    'the function call turn.',
  cause: 'One of several parallel calls was cancelled, or their responses are in several turns.',
  reported: commaList(`
    google-gemini/gemini-cli#4217, google-gemini/gemini-cli#17208, google-gemini/gemini-cli#16415,
    google-gemini/gemini-cli#16984, google-gemini/gemini-cli#18509, google-gemini/gemini-cli#14590,
    google-gemini/gemini-cli#16974, google-gemini/gemini-cli#16216
  `),
  /** Adjacent model turns count as one turn, followed by the responses to all its calls. */
  *check(context) {
    const followsCall = followsCallIn(context.transcript.messages);
    const answered = new Set<Part | undefined>(
      context.pairing.calls.filter(({ results }) => results.some(followsCall)).map(({ part }) => part),
    );
    for (const problem of missingOrSplitResults(context)) if (!answered.has(problem.part)) yield problem;
  },
  fix: RESULTS_TOGETHER,
});
