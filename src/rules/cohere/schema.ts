import { errorRule } from '../rule.js';
import { COHERE_MESSAGE } from '../shapes/cohere.js';
import { chatFaults } from '../shared/chat-schema.js';
import { problemOf } from '../shared/schema.js';

export default errorRule({
  id: 'cohere/schema',
  summary: 'a message that Cohere’s published schema rejects',
  providers: ['cohere'],
  cleaned: true,
  error: 'invalid type: parameter messages.content is of type number but should be of type string or array.',
  cause: 'A message was written by hand, or converted from the format of another provider.',
  reported: [],
  /** Roles of version 1 are written in capitals. */
  *check(context) {
    for (const fault of chatFaults(context, COHERE_MESSAGE)) {
      const role = context.wire(context.transcript.messages[fault.message]!)?.get('role')?.string ?? '';
      if (!fault.isExtra && (role === '' || role !== role.toUpperCase())) yield problemOf(context, fault);
    }
  },
});
