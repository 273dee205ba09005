import { patch } from '../../json/edit.js';
import { commaList } from '../../lists.js';
import type { Message } from '../../transcript/types.js';
import { errorRule, type Problem, type RuleContext } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';

export default errorRule({
  id: 'chat/late-system',
  summary: 'a system message amid the conversation',
  providers: ['mistral', 'minimax'],
  error: {
    mistral: "Unexpected role 'system' after role 'assistant' (type invalid_request_message_order, code 3230)",
    minimax: 'invalid params, chat content has invalid message role: system (2013)',
  },
  cause: 'Reminders and summaries are added as system messages, which other providers accept anywhere.',
  reported: commaList(`
    swarmauri/swarmauri-sdk#162, SillyTavern/SillyTavern#1558, temm1e-labs/temm1e#59, codexu/note-gen#918
  `),
  *check(context) {
    const { provider, transcript } = context;
    let before: Message | undefined;
    for (const [message, found] of transcript.messages.entries()) {
      if (found.role === 'meta') continue;
      if (found.role === 'system' && before !== undefined && isBad(before, provider.id))
        yield { message, text: `a system message after ${before.role === 'tool' ? 'a result' : `the ${before.role}`}` };
      before = found.role === 'system' && before !== undefined && provider.id === 'minimax' ? before : found;
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Make it a user message.',
    reaches: ({ transcript, wire }: RuleContext, { message }: Problem) =>
      wire(transcript.messages[message!]!) !== undefined,
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) =>
        context.rewire(message, patch(context.wire(message)!, { role: 'user' })),
      ),
  },
});

/** Mistral takes one after the user; MiniMax only before the conversation. */
function isBad({ role }: Message, provider: string): boolean {
  return role === 'assistant' || role === 'tool' || (provider === 'minimax' && role === 'user');
}
