import { hasContent } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { withMessagesMended } from '../shared/edits.js';

const BRIDGE: Message = { role: 'assistant', parts: [{ type: 'text', text: '.' }] };

export default defineRule({
  id: 'mistral/user-after-tool',
  summary: 'a user message right behind a tool’s result',
  severity: 'error',
  providers: ['mistral'],
  error: "Unexpected role 'user' after role 'tool'",
  cause: 'The user spoke before the model had answered the results, which other providers allow.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'aaaaaaaa1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'aaaaaaaa1', content: 'a' },
        { role: 'user', content: 'stop' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'aaaaaaaa1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'aaaaaaaa1', content: 'a' },
        { role: 'assistant', content: '.' },
        { role: 'user', content: 'stop' },
      ],
    },
  },
  reported: [
    'aliou/pi-neuralwatt#12',
    'NousResearch/hermes-agent#20154',
    'NousResearch/hermes-agent#84944',
    'NousResearch/hermes-agent#99155',
  ],
  *check({ transcript: { messages } }) {
    let before: Message | undefined;
    for (const [message, said] of messages.entries()) {
      if (said.role === 'meta') continue;
      if (said.role === 'user' && before?.role === 'tool')
        yield { message, text: 'the user speaks right behind the result of a tool' };
      if (isBoth(said)) yield { message, text: 'the user speaks in the message that holds the results of tools' };
      before = said;
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Put a message of the assistant that says next to nothing between them.',
    apply: (subject, problems) =>
      withMessagesMended(subject, problems, (message) => {
        if (message.role === 'user') return [BRIDGE, message];
        const said = message.parts.filter(isSaid);
        const results = message.parts.filter((part) => !isSaid(part));
        return [{ ...message, parts: results }, BRIDGE, { role: 'user', parts: said }];
      }),
  },
});

/** Some formats have the results and what the user says next in one message; Mistral’s would be two. */
function isBoth({ role, parts }: Message): boolean {
  return role === 'tool' && parts.some(({ type }) => type === 'result') && parts.some(isSaid);
}

function isSaid(part: Part): boolean {
  return (part.type === 'text' || part.type === 'media') && hasContent(part);
}
