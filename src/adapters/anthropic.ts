/** Bodies of requests to Anthropic's Messages API, whatever sends them. */
import format from '../formats/anthropic/anthropic-messages.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

/** What this needs of a request. */
export interface MessagesRequest {
  readonly model?: string;
  readonly messages: readonly object[];
}

/**
 * `client.messages.create(await request(body))` sends trimmed messages; the body itself stays as it is. Throws
 * TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options);
  return {
    async request<B extends MessagesRequest>(body: B): Promise<B> {
      const messages = await trimmed(body.messages, body.model);
      return messages === body.messages ? body : { ...body, messages };
    },
  };
}
