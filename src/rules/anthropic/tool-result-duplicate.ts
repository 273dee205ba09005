import { joinTexts } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { nameOfCall } from '../shared/calls.js';
import { keptResult } from '../shared/results.js';
import { RESULTS_REMOVED, withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/tool-result-duplicate',
  summary: 'two tool_result blocks for one tool_use',
  providers: ['anthropic'],
  cleaned: true,
  error: 'each tool_use must have a single result. Found multiple `tool_result` blocks with id: …',
  cause: 'The result was stored twice (by error handling and by the normal path), or two messages with it were merged.',
  reported: ['QwenLM/qwen-code#8163', 'RooCodeInc/Roo-Code#9248', 'sipeed/picoclaw#1793', 'Kilo-Org/kilocode#3772'],
  *check({ pairing }) {
    for (const call of pairing.calls) {
      const kept = keptResult(call);
      if (kept === undefined) continue;
      for (const { part, message } of call.results.filter((result) => result !== kept)) {
        const differs = joinTexts(part.content) !== joinTexts(kept.part.content);
        yield {
          message,
          part,
          callId: call.part.callId || undefined,
          text:
            `${nameOfCall(call.part)} has a second result, ` +
            `${differs ? 'with different text' : 'with the same text'}`,
        };
      }
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Keep the first result of each call.',
    apply: (context, problems) => withoutParts(context, problems, RESULTS_REMOVED),
  },
});
