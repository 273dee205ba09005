import { callKey } from '../../json/canonical.js';
import { commaList, listIn } from '../../lists.js';
import { type CallSite, isOpen } from '../../transcript/pairs.js';
import type { Part } from '../../transcript/types.js';
import { withCallIds } from '../../transforms/ids.js';
import { errorRule, type RuleContext } from '../rule.js';
import { idsIn, takeFree } from '../shared/call-ids.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'anthropic/tool-use-id-duplicate',
  summary: 'two tool_use blocks with the same id',
  providers: ['anthropic'],
  error: 'messages.1.content.1: `tool_use` ids must be unique',
  cause:
    'Chunks of a stream were stored as separate calls, a call was stored twice, or the ids restart in every ' +
    'turn (`bash:0`).',
  reported: commaList(`
    BerriAI/litellm#23510, anthropics/claude-code#20901, CherryHQ/cherry-studio#14128, anomalyco/opencode#1279,
    anthropics/anthropic-sdk-csharp#53, Tarquinen/opencode-dynamic-context-pruning#615, editor-code-assistant/eca#233
  `),
  *check(context) {
    for (const { call, isCopy } of reused(context)) {
      const { callId, tool } = call.part;
      yield {
        message: call.message,
        part: call.part,
        callId: callId!,
        text: isCopy
          ? `the call of ${tool} (${callId}) is stored twice`
          : `the id ${callId} is reused by a call of ${tool || 'a tool'}`,
      };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove copies of a call; give a different call with the same id a new id, in its results too.',
    apply(context, problems) {
      const meant = new Set(problems.map(({ part }) => part));
      const taken = idsIn(context.pairing);
      const ids = new Map<Part, string>();
      const copies: CallSite[] = [];
      for (const { call, isCopy } of reused(context)) {
        if (!meant.has(call.part)) continue;
        if (isCopy) copies.push(call);
        else
          for (const { part } of [call, ...call.results])
            ids.set(part, ids.get(call.part) ?? takeFree(call.part.callId!, taken));
      }
      return withCallIds(withoutParts(context, copies), ids);
    },
  },
});

interface Reused {
  readonly call: CallSite;
  /** An identical call without a result: removing it loses nothing. */
  readonly isCopy: boolean;
}

/** Calls whose id another call keeps. */
function* reused({ transcript: { messages }, pairing }: RuleContext): Generator<Reused> {
  const byId = new Map<string, CallSite[]>();
  for (const call of pairing.calls) {
    const { callId } = call.part;
    if (!callId) continue;
    listIn(byId, callId).push(call);
  }
  for (const calls of byId.values()) {
    if (calls.length === 1) continue;
    const alike = new Map<string, CallSite[]>();
    const siteKey = ({ message, part }: CallSite) => {
      const { group } = messages[message]!;
      return `${group === undefined ? message : `group ${group}`}\n${callKey(part)}`;
    };
    for (const call of calls) listIn(alike, siteKey(call)).push(call);
    const copies = new Set<CallSite>();
    for (const same of alike.values()) {
      const isAnswered = same.some((call) => !isOpen(call));
      for (const call of same) if (isOpen(call) && (isAnswered || call !== same[0])) copies.add(call);
    }
    const keeper = calls.find((call) => !copies.has(call));
    for (const call of calls) if (call !== keeper) yield { call, isCopy: copies.has(call) };
  }
}
