import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { canAddUser, endingReply, withUserAtEnd } from '../shared/ends.js';

export default errorRule({
  id: 'mistral/last-role-assistant',
  summary: 'a request that ends with the assistant',
  providers: ['mistral'],
  error: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  cause: 'The last reply was sent back without a new question.',
  asRequest: true,
  reported: commaList(`
    0xPlaygrounds/rig#1130, crewAIInc/crewAI#2194, NEKOparapa/AiNiee#641, huggingface/smolagents#757,
    microsoft/autogen#5044
  `),
  /** Calls at the end need results instead. With `prefix` the model continues the message. */
  *check({ transcript, wire }) {
    const ending = endingReply(transcript);
    if (ending !== undefined && !wire(ending.reply)?.get('prefix')?.boolean)
      yield { message: ending.index, text: 'the history ends with an assistant message' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add the user message `continue`',
    reaches: canAddUser,
    apply: ({ transcript }) => withUserAtEnd(transcript, 'continue'),
  },
});
