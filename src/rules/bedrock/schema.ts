import { defineRule } from '../rule.js';
import { BEDROCK_MESSAGE } from '../shapes/bedrock.js';
import { converseMessage } from '../shared/bedrock.js';
import { isSent } from '../shared/own-format.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default defineRule({
  id: 'bedrock/schema',
  summary: 'a message that Bedrock’s published schema rejects',
  severity: 'error',
  providers: ['bedrock'],
  cleaned: true,
  error:
    "Value 'octet-stream' at 'messages.1.member.content.1.member.document.format' failed to satisfy constraint: " +
    'Member must satisfy enum value set: [docx, csv, html, txt, pdf, md, doc, xlsx, xls] | DocumentSource object at ' +
    'messages.0.content.1.document.source must set one of the following keys: bytes, s3Location.',
  cause:
    'A message was written by hand, converted from another provider’s format, or a file has a type without a name.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: [{ text: 'x' }, { image: { format: 'jpg', source: { bytes: '/9j/4AA=' } } }] },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: [{ text: 'x' }, { image: { format: 'jpeg', source: { bytes: '/9j/4AA=' } } }] },
      ],
    },
  },
  reported: ['strands-agents/harness-sdk#3019', 'maximhq/bifrost#7072'],
  /** Replies may come without a role. */
  *check(context) {
    const faults = schemaFaults(context, (message, json) => {
      const node = json && converseMessage(json);
      const isMessage = node?.get('role') !== undefined || isSent(context, message);
      return node === undefined || !isMessage ? undefined : { node, shape: BEDROCK_MESSAGE };
    });
    for (const fault of faults) yield problemOf(context, fault);
  },
});
