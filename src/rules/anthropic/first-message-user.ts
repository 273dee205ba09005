import { commaList } from '../../lists.js';
import { defineRule } from '../rule.js';
import { canAddUser, firstSpoken, isOnlyReply, withOpening } from '../shared/ends.js';

export default defineRule({
  id: 'anthropic/first-message-user',
  summary: 'a first message that is not from the user',
  severity: 'warning',
  providers: ['anthropic', 'gemini'],
  error:
    'messages: first message must use the "user" role (google-genai chats: "History must start with a user turn.")',
  cause: 'A sliding window cut the beginning off, so that a reply comes first. Most reports are from 2024.',
  reported: commaList(`
    lobehub/lobehub#1601, mckaywrigley/chatbot-ui#1656, posit-dev/py-shiny#1530, langchain4j/langchain4j#1197,
    livekit/agents#669, BerriAI/litellm#6660, googleapis/python-genai#529, agno-agi/agno#1197
  `),
  *check({ transcript }) {
    const message = firstSpoken(transcript);
    if (isOnlyReply(transcript)) return;
    if (transcript.messages[message]?.role === 'assistant')
      yield { message, text: 'the first message is from the assistant' };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Add a user message before it, which says that the beginning was removed.',
    reaches: canAddUser,
    apply: ({ transcript }) => withOpening(transcript),
  },
});
