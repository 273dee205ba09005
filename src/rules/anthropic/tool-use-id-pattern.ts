import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { withCallIds } from '../../transforms/ids.js';
import { defineRule, type RuleContext } from '../rule.js';
import { idsIn, takeFree } from '../shared/call-ids.js';
import { asName, NAME } from '../shared/calls.js';

export default defineRule({
  id: 'anthropic/tool-use-id-pattern',
  summary: 'an id that Anthropic’s pattern does not allow',
  severity: 'error',
  providers: ['anthropic'],
  error: "messages.5.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  cause: 'The id is of another provider or made of an MCP name, with `:`, `.`, `/` or `|` in it, or it is empty.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'functions.ls:0', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions.ls:0', content: 'a' }] },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_ls_0', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions_ls_0', content: 'a' }] },
      ],
    },
  },
  reported: [
    'CommandCodeAI/command-code#323',
    'tailcallhq/forgecode#1142',
    'HKUDS/nanobot#4356',
    'BlockRunAI/ClawRouter#17',
    'RooCodeInc/Roo-Code#10649',
    'anomalyco/opencode#1279',
  ],
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
    summary: 'Replace what is not allowed in ids by `_`, in calls and results alike.',
    apply: (subject) => withCallIds(subject.transcript, namesFor(subject)),
  },
});

/** Calls without ids of their own (undefined) pair by order, and are given ids where they are converted. */
function isBad({ callId }: CallPart | ResultPart): boolean {
  return callId !== undefined && !NAME.test(callId);
}

function shown({ callId }: CallPart | ResultPart): string {
  return callId === '' ? 'empty' : `\`${callId}\`: only letters, digits, \`_\` and \`-\` are allowed`;
}

/** A call's results go with it. The same old id is the same new one everywhere; each empty one is another. */
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
