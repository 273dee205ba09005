import { defineRule } from '../rule.js';
import { GEMINI_CONTENT } from '../shapes/gemini.js';
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
    const spoken = subject.transcript.messages.filter(({ role }) => role !== 'record' && role !== 'system');
    const faults = schemaFaults(subject, ({ role }, json) =>
      role === 'system' || (json?.get('parts') === undefined && json?.get('role') === undefined)
        ? undefined
        : { node: json, shape: GEMINI_CONTENT },
    );
    for (const fault of faults) yield problemOf(subject, fault);
    if (spoken.length < 2) return;
    for (const [message, said] of subject.transcript.messages.entries()) {
      const json = subject.wire(said);
      if (
        said.role !== 'record' &&
        said.role !== 'system' &&
        json?.get('parts') !== undefined &&
        json.get('role') === undefined
      )
        yield { message, node: json, text: 'the message has no `role`, and is not the only one' };
    }
  },
});
