import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { hasContent } from '../../transcript/text.js';
import { defineRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { GEMINI_3 } from '../shared/gemini-3.js';
import { bodyOf, isOwn } from '../shared/own-format.js';

/** What may stand in its place. https://ai.google.dev/gemini-api/docs/thought-signatures */
const SENTINEL = 'skip_thought_signature_validator';

export default defineRule({
  id: 'gemini/thought-signature-missing',
  summary: 'a function call without its thought signature',
  severity: 'error',
  providers: ['gemini'],
  error:
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:Bash` , position 2. …',
  cause: 'The client did not store the `thoughtSignature`, or the history comes from another provider.',
  example: {
    bad: {
      model: 'gemini-3-pro',
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
    repaired: {
      model: 'gemini-3-pro',
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 'skip_thought_signature_validator' }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
  },
  reported: [
    'lbjlaq/Antigravity-Manager#3202',
    'lbjlaq/Antigravity-Manager#139',
    'lbjlaq/Antigravity-Manager#107',
    'lbjlaq/Antigravity-Manager#938',
    'MayDay-wpf/snow-cli#104',
    'patriceckhart/zot#84',
    'langgenius/dify-official-plugins#2088',
    'thClaws/thClaws#65',
  ],
  /** Of the calls of one step the first has to have it, and only in the turn that is under way: since the user last said something. */
  *check(subject) {
    const { messages, model } = subject.transcript;
    if (!GEMINI_3.test(model ?? bodyOf(subject)?.get('model')?.string ?? '')) return;
    const asked = messages.findLastIndex(({ role, parts }) => role === 'user' && parts.some(hasContent));
    for (const [message, said] of messages.entries()) {
      const call = said.parts.find(({ type }) => type === 'call');
      if (message < asked || call?.type !== 'call' || !(call.raw instanceof JsonNode) || !isOwn(subject, said))
        continue;
      if (!(call.raw.get('thoughtSignature') ?? call.raw.get('thought_signature'))?.string)
        yield {
          message,
          part: call,
          callId: call.callId,
          node: call.raw,
          text: `the call of ${call.tool} has no thought signature`,
        };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Say in its place that it is not to be checked.',
    apply: (subject, problems) =>
      rewireProblems(subject, problems, (node) =>
        patch(node, { [node.get('function_call') === undefined ? 'thoughtSignature' : 'thought_signature']: SENTINEL }),
      ),
  },
});
