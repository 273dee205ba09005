import { patch } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { problemOf } from '../shared/schema.js';

export default errorRule({
  id: 'chat/tool-call-type-missing',
  summary: 'a tool call without its type',
  providers: ['openai-chat'],
  alone: true,
  covers: ['openai-chat/schema'],
  asRequest: true,
  error: "Missing required parameter: 'messages[1].tool_calls[0].type'.",
  cause: 'The history is an export, which leaves out what all calls have, or the calls were put together by hand.',
  reported: ['FlowiseAI/Flowise#2948'],
  *check(context) {
    for (const [message, found] of context.transcript.messages.entries())
      for (const [index, node] of (context.wire(found)?.get('tool_calls')?.items() ?? []).entries())
        if (node.isObject && node.get('type') === undefined && (node.get('function') ?? node.get('custom'))?.isObject)
          yield problemOf(context, { message, node, text: `\`tool_calls[${index}]\` has no \`type\`` });
  },
  fix: {
    safety: 'safe',
    summary: 'Add the type.',
    apply: (context, problems) =>
      rewireProblems(context, problems, (node) =>
        patch(node, { type: node.get('custom') === undefined ? 'function' : 'custom' }),
      ),
  },
});
