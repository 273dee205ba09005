import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import type { Message } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'gemini/part-role',
  summary: 'a function call of the user, or a function response of the model',
  providers: ['gemini'],
  covers: ['gemini/function-call-turn-order', 'gemini/function-response-turn-order'],
  error:
    "Role 'function' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT, DEVELOPER, " +
    'CONTEXT, USER_CONTEXT, MODEL, USER.',
  cause: 'The history was converted from another format, or all contents were given one role.',
  reported: commaList(`
    google-gemini/gemini-cli#26486, memex-lab/dart_agent_core#34, kurojs/Gemini-Kchat#5, sashiko-dev/sashiko#500,
    Sylinko/Everywhere#478
  `),
  *check({ transcript, wire }) {
    for (const [message, found] of transcript.messages.entries()) {
      const role = roleIn(wire(found));
      const [type, right] = misplacedIn(found, role?.string, transcript.model);
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

/** Models that refuse the role `function`. memex-lab/dart_agent_core#34, firebase/quickstart-ios#1871, 2026-08 */
const LATER = /gemini-(?:3\.[5-9]|[4-9])/;

function misplacedIn({ parts }: Message, role = '', model = ''): ['call' | 'result', string] | [] {
  const has = (wanted: string) => parts.some(({ type }) => type === wanted);
  if ((role === 'user' || role === 'function') && has('call')) return ['call', 'model'];
  const isWrong = role === 'model' || (role === 'function' && LATER.test(model));
  return isWrong && has('result') ? ['result', 'user'] : [];
}

/** Of a content, or of the content in an event. */
function roleIn(json: JsonNode | undefined): JsonNode | undefined {
  return json?.get('parts') === undefined ? json?.get('content')?.get('role') : json.get('role');
}
