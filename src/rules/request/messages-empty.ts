import { errorRule } from '../rule.js';
import { bodyOf, listOf } from '../shared/own-format.js';

/** OpenAI's Responses and Gemini's Interactions take the history from their server, if one of these names it. */
const ELSEWHERE = ['previous_response_id', 'conversation', 'prompt', 'previous_interaction_id'];

export default errorRule({
  id: 'request/messages-empty',
  summary: 'a request without messages',
  providers: ['any'],
  asRequest: true,
  error:
    'messages: at least one message is required | ' +
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead. | " +
    "[] is too short - 'messages' | * GenerateContentRequest.contents: contents is not specified",
  cause: 'The history was trimmed to nothing, or only the system prompt was sent.',
  reported: ['langchain-ai/langchain#31657', 'Helicone/helicone#5257'],
  *check(context) {
    const body = bodyOf(context);
    const list = listOf(body);
    const isElsewhere = ELSEWHERE.some((key) => body?.get(key) !== undefined);
    if (list?.isArray && list.length === 0 && !isElsewhere)
      yield { message: undefined, node: list, text: 'the list of messages is empty' };
  },
});
