import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { withoutBlankParts } from '../shared/neighbors.js';
import { isOwn } from '../shared/own-format.js';

export default errorRule({
  id: 'bedrock/blank-text',
  summary: 'a blank text',
  providers: ['bedrock'],
  cleaned: true,
  error:
    'The text field in the ContentBlock object at messages.11.content.0 is blank. Add text to the text field, ' +
    'and try again.',
  cause: 'An empty text was stored with a toolUse, for a turn that only calls tools.',
  reported: commaList(`
    boto/botocore#3525, continuedev/continue#9767, aws-samples/bedrock-engineer#8, OpenHands/OpenHands#5339,
    trpc-group/trpc-agent-go#1748, smg-project/smg#1472
  `),
  *check(context) {
    for (const [index, message] of context.transcript.messages.entries()) {
      if (message.role === 'meta' || !isOwn(context, message)) continue;
      for (const part of message.parts) {
        const text = part.raw instanceof JsonNode ? part.raw.get('text') : undefined;
        if (part.type === 'text' && text?.string?.trim() === '')
          yield {
            message: index,
            part,
            node: text,
            text: `the text is ${text.string === '' ? 'empty' : 'only white space'}`,
          };
      }
    }
  },
  fix: { safety: 'safe', summary: 'Remove the block.', apply: withoutBlankParts },
});
