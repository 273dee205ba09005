import { defineRule } from '../rule.js';
import { endingReply, withUsersEnd } from '../shared/ends.js';

export default defineRule({
  id: 'mistral/last-role-assistant',
  summary: 'a request that ends with the assistant',
  severity: 'error',
  providers: ['mistral'],
  error: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  cause: 'The last answer is sent back without a new question.',
  asRequest: true,
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
        { role: 'user', content: 'continue' },
      ],
    },
  },
  reported: [
    '0xPlaygrounds/rig#1130',
    'crewAIInc/crewAI#2194',
    'NEKOparapa/AiNiee#641',
    'huggingface/smolagents#757',
    'microsoft/autogen#5044',
  ],
  /** Calls that the history ends with want results, and those come last. `prefix` says that the answer is to go on there. */
  *check({ transcript, wire }) {
    const ending = endingReply(transcript);
    if (ending !== undefined && !wire(ending.reply)?.get('prefix')?.boolean)
      yield { message: ending.index, text: 'the history ends with a message of the assistant' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Let the user say `continue`.',
    apply: ({ transcript }) => withUsersEnd(transcript, 'continue'),
  },
});
