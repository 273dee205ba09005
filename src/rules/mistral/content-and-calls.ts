import { defineRule } from '../rule.js';

export default defineRule({
  id: 'mistral/content-and-calls',
  summary: 'a message with both text and calls',
  severity: 'warning', // clients that send both are common, and reports few: other models take it
  providers: ['mistral'],
  asRequest: true,
  error: 'Assistant message must have either content or tool_calls, but not both.',
  cause: 'The model said what it is about to do, and called a tool in the same turn.',
  reported: ['github/copilot-cli#4884', 'Mobile-Artificial-Intelligence/maid#672'],
  *check({ transcript, wire }) {
    if (!/devstral/.test(transcript.model ?? '')) return;
    for (const [message, found] of transcript.messages.entries()) {
      const content = wire(found)?.get('content');
      const says = (content?.string ?? '').trim() !== '' || (content?.length ?? 0) > 0;
      if (says && found.parts.some(({ type }) => type === 'call'))
        yield { message, node: content, text: 'the message has text beside calls, which some models refuse' };
    }
  },
});
