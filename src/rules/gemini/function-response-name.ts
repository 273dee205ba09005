import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ResultPart } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default defineRule({
  id: 'gemini/function-response-name',
  summary: 'a function response without the name of its call',
  severity: 'error',
  providers: ['gemini'],
  error:
    'GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty. | Please ensure that the function response name matches the function call name.',
  cause: 'The history was converted from a format whose results carry the id of their call and not its name.',
  example: {
    bad: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { response: { output: 'a' } } }] },
      ],
    },
    repaired: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 's' }] },
        { role: 'user', parts: [{ functionResponse: { response: { output: 'a' }, name: 'ls' } }] },
      ],
    },
  },
  reported: [],
  *check(subject) {
    for (const site of subject.pairing.results) {
      const { part, message, call } = site;
      const node = responseIn(part);
      const wanted = call?.part.tool;
      if (call === undefined) continue; // gemini/function-response-turn-order reports it, and nobody knows its name
      if (node === undefined || subject.wire(subject.transcript.messages[message]!) === undefined) continue;
      const at = { message, part, callId: part.callId, node };
      if (!part.tool) yield { ...at, text: `the result${wanted ? ` of ${wanted}` : ''} has no \`name\`` };
      else if (wanted && wanted !== part.tool)
        yield { ...at, text: `the result has the name ${part.tool}, and its call the name ${wanted}` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Give the response the name of its call.',
    apply(subject, problems) {
      const names = new Map<unknown, string>();
      for (const { part, call } of subject.pairing.results) if (call?.part.tool) names.set(part, call.part.tool);
      const known = problems.filter(({ part }) => names.has(part));
      return rewireProblems(subject, known, (node, { part }) => patch(node, { name: names.get(part)! }));
    },
  },
});

function responseIn({ raw }: ResultPart): JsonNode | undefined {
  const response = raw instanceof JsonNode ? (raw.get('functionResponse') ?? raw.get('function_response')) : undefined;
  return response?.isObject ? response : undefined;
}
