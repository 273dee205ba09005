import { hasContent } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';

const BRIDGE: Message = { role: 'assistant', parts: [{ type: 'text', text: '.' }] };

export default errorRule({
  id: 'mistral/user-after-tool',
  summary: 'a user message right after a tool result',
  providers: ['mistral'],
  error: "Unexpected role 'user' after role 'tool'",
  cause: 'The user wrote before the model had replied to the results, which other providers accept.',
  reported: [
    'aliou/pi-neuralwatt#12',
    'NousResearch/hermes-agent#20154',
    'NousResearch/hermes-agent#84944',
    'NousResearch/hermes-agent#99155',
  ],
  *check({ transcript: { messages } }) {
    let before: Message | undefined;
    for (const [index, message] of messages.entries()) {
      if (message.role === 'meta') continue;
      if (message.role === 'user' && before?.role === 'tool')
        yield { message: index, text: 'a user message right after a tool result' };
      if (isBoth(message)) yield { message: index, text: 'a user text in a message with tool results' };
      before = message;
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add an assistant message `.` between them.',
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) => {
        if (message.role === 'user') return [BRIDGE, message];
        const spoken = message.parts.filter(isSpoken);
        const results = message.parts.filter((part) => !isSpoken(part));
        return [{ ...message, parts: results }, BRIDGE, { role: 'user', parts: spoken }];
      }),
  },
});

/** Whether results and user text share a message, which Mistral splits into two. */
function isBoth({ role, parts }: Message): boolean {
  return role === 'tool' && parts.some(({ type }) => type === 'result') && parts.some(isSpoken);
}

function isSpoken(part: Part): boolean {
  return (part.type === 'text' || part.type === 'media') && hasContent(part);
}
