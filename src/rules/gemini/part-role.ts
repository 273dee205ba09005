import type { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default defineRule({
  id: 'gemini/part-role',
  summary: 'a function call of the user, or a function response of the model',
  severity: 'error',
  providers: ['gemini'],
  covers: ['gemini/function-call-turn-order', 'gemini/function-response-turn-order'],
  error:
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn. | ' +
    'Please ensure that function response turn comes immediately after a function call turn.',
  cause: 'The history was converted from another format, or all contents were given one role.',
  example: {
    bad: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'user', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
    repaired: {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { r: 1 } } }] },
      ],
    },
  },
  reported: ['google-gemini/gemini-cli#26486'],
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      const role = roleIn(wire(found));
      const [type, right] = misplacedIn(found, role?.string);
      const part = found.parts.find((one) => one.type === type);
      if (role !== undefined && part !== undefined)
        yield {
          message,
          part,
          node: role,
          text: `the role of a function ${NAMES[type!]} is ${right}, not ${role.text}`,
        };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set the role that the part has.',
    reaches: ({ transcript: { messages } }, { message, part }) =>
      messages[message!]!.parts.every(({ type }) => type === part!.type || type === 'thinking'),
    apply: (context, problems) =>
      rewireProblems(context, problems, (_, { part }) => (part!.type === 'call' ? 'model' : 'user')),
  },
});

const NAMES = { call: 'call', result: 'response' };

function misplacedIn({ parts }: Message, role: string | undefined): ['call' | 'result', string] | [] {
  const has = (wanted: string) => parts.some(({ type }) => type === wanted);
  if ((role === 'user' || role === 'function') && has('call')) return ['call', 'model'];
  return role === 'model' && has('result') ? ['result', 'user'] : [];
}

/** Of a content, or of the content in an event. */
function roleIn(json: JsonNode | undefined): JsonNode | undefined {
  return json?.get('parts') === undefined ? json?.get('content')?.get('role') : json.get('role');
}
