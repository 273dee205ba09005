import { hasContent } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { blockIn, ownMessages } from '../shared/bedrock.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'bedrock/document-without-text',
  summary: 'a document without a text beside it',
  providers: ['bedrock'],
  error: 'A text block must be included when using documents. Add a text block and retry your request.',
  cause: 'The user attached a file and wrote nothing, or an agent sends what it read in a message of its own.',
  reported: ['ag-ui-protocol/ag-ui#1978', 'BerriAI/litellm#36499', 'maximhq/bifrost#5817'],
  *check(context) {
    for (const [message, { parts }] of ownMessages(context)) {
      const part = parts.find((one) => blockIn(one, 'document') !== undefined);
      if (part !== undefined && !parts.some((one) => one.type === 'text' && hasContent(one)))
        yield { message, part, text: 'the message has a document, but no text' };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add the text `.` before the document.',
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) => {
        const at = message.parts.findIndex((part) => blockIn(part, 'document') !== undefined);
        return { ...message, parts: message.parts.toSpliced(at, 0, { type: 'text', text: '.' }) };
      }),
  },
});
