import { errorRule } from '../rule.js';
import { withoutMessages } from '../shared/neighbors.js';

export default errorRule({
  id: 'bedrock/empty-content',
  summary: 'a message without content',
  providers: ['bedrock'],
  covers: ['core/roles-alternate'],
  error:
    'The content field in the Message object at messages.3 is empty. Add a ContentBlock object to the content ' +
    'field and try again.',
  cause: 'A filter removed all blocks but kept the message, or a conversion lost its calls.',
  reported: ['langchain-ai/langchain#26968', 'earendil-works/pi#3443', 'Portkey-AI/gateway#995'],
  *check({ transcript: { messages } }) {
    for (const [message, { role, parts }] of messages.entries())
      if (role !== 'meta' && role !== 'system' && parts.length === 0)
        yield { message, text: `the ${role} message has no content` };
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the message and join the messages around it.',
    apply: (context, problems) => withoutMessages(context, new Set(problems.map(({ message }) => message!))),
  },
});
