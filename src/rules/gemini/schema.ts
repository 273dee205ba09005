import type { Message } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { GEMINI_CONTENT } from '../shapes/gemini.js';
import { isSent } from '../shared/own-format.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default errorRule({
  id: 'gemini/schema',
  summary: 'a content that Gemini’s published schema rejects',
  providers: ['gemini'],
  cleaned: true,
  error:
    'Invalid JSON payload received. Unknown name "type" at \'contents[0].parts[0]\': Cannot find field. | ' +
    'Please use a valid role: user, model. | Content with system role is not supported.',
  cause: 'A content was written by hand, or converted from the format of another provider.',
  reported: ['memex-lab/dart_agent_core#34', 'the-open-agent/openagent#1666', 'thomwebb/gac#47'],
  /** Log events and responses are no contents themselves. The system instruction may have any role. */
  *check(context) {
    const { messages } = context.transcript;
    const isMany = messages.filter(isSpoken).length > 1;
    const faults = schemaFaults(context, (message, json) => {
      const isContent = json?.get('parts') !== undefined || json?.get('role') !== undefined || isSent(context, message);
      const isBeside = message.role === 'system' && !(isSent(context, message) || context.request === undefined);
      return json === undefined || isBeside || !isContent ? undefined : { node: json, shape: GEMINI_CONTENT };
    });
    for (const fault of faults) yield problemOf(context, fault);
    for (const [index, message] of messages.entries()) {
      const json = context.wire(message);
      if (isMany && isSpoken(message) && json?.get('parts') !== undefined && json.get('role') === undefined)
        yield { message: index, node: json, text: 'the message has no `role`, but is not the only message' };
    }
  },
});

function isSpoken({ role }: Message): boolean {
  return role !== 'meta' && role !== 'system';
}
