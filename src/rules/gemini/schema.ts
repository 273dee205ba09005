import type { Message } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { GEMINI_CONTENT } from '../shapes/gemini.js';
import { isSent } from '../shared/own-format.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default defineRule({
  id: 'gemini/schema',
  summary: 'a content that Gemini’s published schema refuses',
  severity: 'error',
  providers: ['gemini'],
  cleaned: true,
  error:
    'Invalid JSON payload received. Unknown name "type" at \'contents[0].parts[0]\': Cannot find field. | Please use a valid role: user, model.',
  cause: 'A content was written by hand, or converted from the format of another provider.',
  example: {
    bad: { contents: [{ role: 'user', parts: [{ text: 'x', kind: 'note' }] }] },
    repaired: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  },
  reported: ['memex-lab/dart_agent_core#34'],
  /** An event of a log or a response holds a content, and is none. The system instruction says what role it likes. */
  *check(subject) {
    const { messages } = subject.transcript;
    const isMany = messages.filter(isSpoken).length > 1;
    const faults = schemaFaults(subject, (said, json) => {
      const isContent = json?.get('parts') !== undefined || json?.get('role') !== undefined || isSent(subject, said);
      return json === undefined || said.role === 'system' || !isContent
        ? undefined
        : { node: json, shape: GEMINI_CONTENT };
    });
    for (const fault of faults) yield problemOf(subject, fault);
    for (const [message, said] of messages.entries()) {
      const json = subject.wire(said);
      if (isMany && isSpoken(said) && json?.get('parts') !== undefined && json.get('role') === undefined)
        yield { message, node: json, text: 'the message has no `role`, and is not the only one' };
    }
  },
});

function isSpoken({ role }: Message): boolean {
  return role !== 'meta' && role !== 'system';
}
