/** Unanswered calls: every provider rejects them, each with its own error. */
import { defaultsOf } from '../../options/option.js';
import type { Transcript } from '../../transcript/types.js';
import patch from '../../transforms/patch.js';
import { NO_COUNTS } from '../../transforms/transform.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { nameOfCall } from './calls.js';

/** Calls without a result right after their message. Calls at the end of a recording count only in a request. */
export function* unansweredCalls({
  transcript: { messages, traits },
  pairing,
  asRequest,
}: RuleContext): Generator<Problem> {
  const last = messages.findLastIndex(({ role }) => role !== 'tool' && role !== 'meta');
  for (const { part, message, results } of pairing.calls) {
    if (results.some(({ standing }) => standing === 'in place')) continue;
    if (traits.omitsResults && results.length === 0) continue;
    const isLast =
      message === last ||
      (messages[message]!.group !== undefined && messages[message]!.group === messages[last]?.group);
    const isOpen = !asRequest || traits.endsOnReply || part.awaitsApproval;
    if (isLast && results.length === 0 && isOpen) continue;
    const late = results.length > 0 ? ' has its result elsewhere' : ' has no result';
    yield { message, part, callId: part.callId, text: `${nameOfCall(part)}${late}` };
  }
}

/** Moves results to their calls, and adds a placeholder result for each unanswered call. */
export const ANSWER: Fix = {
  safety: 'synthetic',
  onlyMoves: ({ pairing }) => pairing.calls.every(({ results }) => results.length > 0),
  summary: 'Move late results to their calls, and add a placeholder result for each unanswered call.',
  apply: ({ transcript, asRequest }): Transcript =>
    patch.apply(
      transcript,
      {
        ...defaultsOf(patch.options),
        placeholder: 'auto',
        orphan: 'keep',
        duplicate: 'keep',
        pending: asRequest ? 'answer' : 'keep',
      } as never,
      NO_COUNTS,
    ),
};
