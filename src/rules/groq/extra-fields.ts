import { errorRule } from '../rule.js';
import { GROQ_MESSAGE } from '../shapes/groq.js';
import { extraFields, withoutFields } from '../shared/chat-schema.js';

export default errorRule({
  id: 'groq/extra-fields',
  summary: 'a field that Groq does not know',
  providers: ['groq'],
  error:
    "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'timestamp' is " +
    "unsupported)] | property 'id' is unsupported, did you mean 'role'?",
  cause: 'A client sends what it stored in its messages, or a reply with all its fields.',
  reported: ['ServiceStack/llms#17', 'chatboxai/chatbox#2083'],
  check: (context) => extraFields(context, GROQ_MESSAGE),
  fix: withoutFields(GROQ_MESSAGE),
});
