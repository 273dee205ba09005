import { commaList } from '../../lists.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { withCallIds } from '../../transforms/ids.js';
import { errorRule, type RuleContext } from '../rule.js';
import { idsIn, takeFree } from '../shared/call-ids.js';
import { asName, NAME } from '../shared/calls.js';

export default errorRule({
  id: 'anthropic/tool-use-id-pattern',
  summary: 'a tool_use id that does not match Anthropic’s pattern',
  providers: ['anthropic'],
  error: "messages.5.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  cause: 'The id comes from another provider or an MCP name (with `:`, `.`, `/` or `|`), or it is empty.',
  reported: commaList(`
    CommandCodeAI/command-code#323, tailcallhq/forgecode#1142, HKUDS/nanobot#4356, BlockRunAI/ClawRouter#17,
    RooCodeInc/Roo-Code#10649, anomalyco/opencode#1279
  `),
  *check({ pairing }) {
    for (const { part, message } of pairing.calls) {
      if (isBad(part))
        yield {
          message,
          part,
          callId: part.callId!,
          text: `the id of the call of ${part.tool || 'a tool'} is ${shown(part)}`,
        };
    }
    for (const { part, message, call } of pairing.results) {
      if (isBad(part) && call?.part.callId !== part.callId)
        yield { message, part, callId: part.callId!, text: `the id of a result is ${shown(part)}` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Replace invalid characters with `_`, in calls and results.',
    apply: (context) => withCallIds(context.transcript, namesFor(context)),
  },
});

/** Calls without an id field (undefined) pair by order, and get ids when they are converted. */
function isBad({ callId }: CallPart | ResultPart): boolean {
  return callId !== undefined && !NAME.test(callId);
}

function shown({ callId }: CallPart | ResultPart): string {
  return callId === '' ? 'empty' : `\`${callId}\`: only letters, digits, \`_\` and \`-\` are allowed`;
}

/** Results are renamed with their call. Equal ids stay equal, but each empty id becomes a different one. */
function namesFor({ pairing }: RuleContext): Map<Part, string> {
  const names = new Map<Part, string>();
  const taken = new Set([...idsIn(pairing)].filter((id) => NAME.test(id)));
  const byOld = new Map<string, string>();
  const nameFor = (old: string) => {
    const name = byOld.get(old) ?? takeFree(asName(old) || 'call_1', taken);
    if (old !== '') byOld.set(old, name);
    return name;
  };
  for (const { part, results } of pairing.calls) {
    if (!isBad(part)) continue;
    const name = nameFor(part.callId || results.find((result) => result.part.callId)?.part.callId || '');
    for (const named of [part, ...results.map((result) => result.part)]) names.set(named, name);
  }
  for (const { part, call } of pairing.results) {
    if (isBad(part) && !names.has(part)) names.set(part, call?.part.callId ?? nameFor(part.callId!));
  }
  return names;
}
