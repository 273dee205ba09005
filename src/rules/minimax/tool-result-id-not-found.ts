import { listIn } from '../../lists.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import { isOpen, type ResultSite } from '../../transcript/pairs.js';
import type { Part } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'minimax/tool-result-id-not-found',
  summary: 'a tool result whose id matches no call',
  providers: ['minimax'],
  covers: ['chat/tool-result-orphan'],
  error: "invalid params, tool result's tool id (call_function_…_1) not found (2013)",
  cause: 'The client made up the id of the result instead of using the id of the call.',
  reported: ['agent0ai/agent-zero#1724'],
  *check({ pairing }) {
    for (const result of pairing.results)
      if (isUnknown(result))
        yield {
          message: result.message,
          part: result.part,
          callId: result.part.callId,
          text: `no call has the id ${result.part.callId} of this result`,
        };
  },
  fix: {
    safety: 'lossy',
    summary:
      'Assign the ids of the unanswered calls before the results, if there are as many; remove the other results.',
    apply(context) {
      const ids = idsByPlace(context);
      const named = mapMessages(context.transcript, (message) =>
        mapParts(message, (part) =>
          part.type === 'result' && ids.has(part) ? { ...part, callId: ids.get(part) } : part,
        ),
      );
      return withoutParts(
        { ...context, transcript: named },
        context.pairing.results.filter((result) => isUnknown(result) && !ids.has(result.part)),
      );
    },
  },
});

function isUnknown({ part, call }: ResultSite): boolean {
  return call === undefined && part.callId !== undefined && part.callId !== '';
}

/** The ids of unanswered calls for the results after them, where there are as many results with an unknown id. */
function idsByPlace({ transcript: { messages }, pairing: { calls, results } }: RuleContext): ReadonlyMap<Part, string> {
  const strays = new Map<number, Part[]>();
  let speaker = -1;
  let seen = 0;
  for (const { part, message } of results.filter(isUnknown)) {
    for (; seen < message; seen++) if (!/^(tool|record)$/.test(messages[seen]!.role)) speaker = seen;
    listIn(strays, speaker).push(part);
  }
  const ids = new Map<Part, string>();
  const openIn = new Map<number, string[]>();
  for (const call of calls) if (isOpen(call) && call.part.callId) listIn(openIn, call.message).push(call.part.callId);
  for (const [home, parts] of strays) {
    const open = openIn.get(home) ?? [];
    if (open.length !== parts.length) continue;
    for (const [index, part] of parts.entries()) ids.set(part, open[index]!);
  }
  return ids;
}
