import { commaList } from '../../lists.js';
import { pair, type ResultSite } from '../../transcript/pairs.js';
import { errorRule, type Problem, type RuleContext } from '../rule.js';
import { nameOfResult } from '../shared/calls.js';
import { keptResult, orphansOf } from '../shared/results.js';
import { ANSWER, unansweredCalls } from '../shared/unanswered.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'mistral/call-response-count',
  summary: 'more or fewer results than calls',
  providers: ['mistral'],
  error: 'Not the same number of function calls and responses (invalid_request_error, code 3230)',
  cause: 'A call was cancelled without a result, or a retry stored a second one.',
  reported: commaList(`
    partITech/php-mistral#57, mistralai/client-ts#106, 567-labs/instructor#724, mistralai/client-python#234,
    camel-ai/camel#1467, miquido/draive#398
  `),
  *check(context) {
    yield* resultsMissing(context);
    yield* resultsTooMany(context);
  },
  fix: {
    safety: 'synthetic',
    summary:
      'Move late results to their calls, add a placeholder result for each unanswered call, and keep one result ' +
      'per call.',
    apply(context, problems) {
      const tooMany = problems.filter(({ part }) => part?.type === 'result');
      const missing = new Set(problems.map(({ part }) => part));
      const transcript = withoutParts(context, tooMany);
      const asRequest = context.pairing.calls.every(({ part, results }) => results.length > 0 || missing.has(part));
      return ANSWER.apply({ ...context, transcript, asRequest, pairing: pair(transcript.messages) }, problems);
    },
  },
});

/** At the end of a recording all calls may be unanswered, but not only some calls of a message. */
function* resultsMissing(context: RuleContext): Generator<Problem> {
  const { pairing, transcript } = context;
  const homeOf = (index: number) => transcript.messages[index]!.group ?? index;
  const answered = new Set(
    pairing.calls.flatMap(({ message, results }) => (results.length > 0 ? [homeOf(message)] : [])),
  );
  const waiting = new Set([...unansweredCalls(context)].map(({ part }) => part));
  for (const problem of unansweredCalls({ ...context, asRequest: true }))
    if (waiting.has(problem.part) || answered.has(homeOf(problem.message!))) yield problem;
}

/** Second results of a call, and results without a call among results of other calls. */
function* resultsTooMany(context: RuleContext): Generator<Problem> {
  for (const call of context.pairing.calls) {
    const kept = keptResult(call);
    for (const site of call.results) if (site !== kept) yield tooMany(site, 'answers a call that already has a result');
  }
  for (const { site, followsCall } of orphansOf(context))
    if (followsCall) yield tooMany(site, 'answers none of the calls before it');
}

function tooMany(site: ResultSite, fault: string): Problem {
  return {
    message: site.message,
    part: site.part,
    ...(site.part.callId === undefined ? {} : { callId: site.part.callId }),
    text: `${nameOfResult(site)} ${fault}`,
  };
}
