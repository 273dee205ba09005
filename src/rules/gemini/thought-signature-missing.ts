import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { hasContent } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { GEMINI_3 } from '../shared/gemini-3.js';
import { bodyOf, isOwn } from '../shared/own-format.js';

/** The documented placeholder. https://ai.google.dev/gemini-api/docs/thought-signatures */
const SENTINEL = 'skip_thought_signature_validator';

export default errorRule({
  id: 'gemini/thought-signature-missing',
  summary: 'a function call without its thought signature',
  providers: ['gemini'],
  error:
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
    'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
    'call `default_api:Bash` , position 2. …',
  cause: 'The client did not store the `thoughtSignature`, or the history comes from another provider.',
  reported: commaList(`
    lbjlaq/Antigravity-Manager#3202, lbjlaq/Antigravity-Manager#139, lbjlaq/Antigravity-Manager#107,
    lbjlaq/Antigravity-Manager#938, MayDay-wpf/snow-cli#104, patriceckhart/zot#84,
    langgenius/dify-official-plugins#2088, thClaws/thClaws#65
  `),
  /** Required for the first call of each step in the current turn, after the last user message. */
  *check(context) {
    const { messages, model } = context.transcript;
    if (!GEMINI_3.test(model ?? bodyOf(context)?.get('model')?.string ?? '')) return;
    const lastPrompt = messages.findLastIndex(({ role, parts }) => role === 'user' && parts.some(hasContent));
    for (const [index, message] of messages.entries()) {
      const call = message.parts.find(({ type }) => type === 'call');
      if (index < lastPrompt || call?.type !== 'call' || !(call.raw instanceof JsonNode) || !isOwn(context, message))
        continue;
      if (!(call.raw.get('thoughtSignature') ?? call.raw.get('thought_signature'))?.string)
        yield {
          message: index,
          part: call,
          callId: call.callId,
          node: call.raw,
          text: `the call of ${call.tool} has no thought signature`,
        };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Set the placeholder signature that skips validation.',
    apply: (context, problems) =>
      rewireProblems(context, problems, (node) =>
        patch(node, { [node.get('function_call') === undefined ? 'thoughtSignature' : 'thought_signature']: SENTINEL }),
      ),
  },
});
