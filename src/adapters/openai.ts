/** Bodies of requests to OpenAI's Chat Completions and Responses APIs, whatever sends them. */
import chat from '../formats/openai/openai-chat.js';
import responses from '../formats/openai/openai-responses.js';
import { continuedBy, withNeededReasoning } from '../hooks/server-history.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

/** What this needs of a request: `messages` of Chat Completions, or `input` of Responses. */
export interface OpenAiRequest {
  readonly model?: string;
  readonly messages?: readonly object[];
  readonly input?: string | readonly object[];
}

/**
 * `client.chat.completions.create(await request(body))` and `client.responses.create(await request(body))` send trimmed
 * messages; the body itself stays as it is. An `input` that continues a history on the server (`previous_response_id`,
 * `conversation`) is only cut. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const ofChat = createTrimmer(chat, steps, options);
  const ofResponses = createTrimmer(responses, steps, options, { mend: withNeededReasoning });
  return {
    async request<B extends OpenAiRequest>(body: B): Promise<B> {
      const { model, messages, input } = body;
      if (messages !== undefined) return replaced(body, 'messages', await ofChat(messages, model));
      return typeof input === 'object'
        ? replaced(body, 'input', await ofResponses(input, model, continuedBy(body)))
        : body;
    },
  };
}

function replaced<B extends OpenAiRequest>(body: B, key: 'messages' | 'input', list: object[]): B {
  return body[key] === list ? body : { ...body, [key]: list };
}
