import { errorRule } from '../rule.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';

export default errorRule({
  id: 'responses/output-missing',
  summary: 'a function call without its output',
  providers: ['openai-responses'],
  error: 'No tool output found for function call call_….',
  cause: 'The run was interrupted, or the output has the item id instead of the `call_id`.',
  reported: ['ranxianglei/billion-context#766', 'tjardoo/openai-client#124', 'lace-ai/gai#49'],
  /** The output may be anywhere after its call. */
  *check(context) {
    const answered = new Set(
      context.pairing.calls
        .filter(({ message, results }) => results.some((result) => result.message > message))
        .map(({ part }) => part),
    );
    for (const problem of unansweredCalls(context))
      if (problem.part?.type !== 'call' || !answered.has(problem.part)) yield problem;
  },
  fix: ANSWER,
});
