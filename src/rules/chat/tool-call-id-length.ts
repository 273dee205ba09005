import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { digest, invalidCallIds, renameIds } from '../shared/call-ids.js';
import { isUnsentReply } from '../shared/ends.js';

/** From the error text. One report says 64. */
const LONGEST = 40;

export default errorRule({
  id: 'chat/tool-call-id-length',
  summary: 'a tool call id that is too long',
  providers: ['openai-chat', 'azure', 'github-copilot'],
  alone: true,
  error:
    "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40, but " +
    'got a string with length 51 instead.',
  cause: 'Another provider or a gateway made the ids (a prefix and a UUID) before they were sent to OpenAI.',
  reported: commaList(`
    langmanus/langmanus#119, microsoft/autogen#6377, camel-ai/camel#2215, vercel/ai#8132, langgenius/dify#28987,
    Portkey-AI/gateway#1062, BerriAI/litellm#17343, anomalyco/opencode#12653
  `),
  *check(context) {
    for (const problem of invalidCallIds(
      context,
      fits,
      (id) => `has ${id.length} characters; at most ${LONGEST} are allowed`,
    ))
      if (!isUnsentReply(context, problem.message!)) yield problem;
  },
  fix: {
    safety: 'safe',
    summary: 'Shorten the ids, in calls and results.',
    apply: ({ transcript, pairing }) =>
      renameIds(transcript, pairing, (id, attempt) => (fits(id) ? id : `call_${digest(`${id}${attempt || ''}`)}`)),
  },
});

function fits(id: string): boolean {
  return id.length <= LONGEST;
}
