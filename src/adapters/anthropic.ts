/** Bodies of requests to Anthropic's Messages API, whatever sends them. */
import format from '../formats/anthropic/anthropic-messages.js';
import { anthropicMarks, marksOf } from '../hooks/anthropic-marks.js';
import { breakpointsBy } from '../hooks/breakpoints.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

/** What this needs of a request. */
export interface MessagesRequest {
  readonly model?: string;
  readonly messages: readonly object[];
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly cache_control?: object | null | undefined;
}

/**
 * `client.messages.create(await request(body))` sends trimmed messages; the body itself stays as it is. If it has cache
 * breakpoints, one more goes before the oldest whole call, where the next cut begins, within the four that the API
 * takes; none if the caller sets one there. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  const withBreakpoints = breakpointsBy(anthropicMarks);
  return {
    async request<B extends MessagesRequest>(body: B): Promise<B> {
      const { tools, system, cache_control: automatic } = body;
      const after: object[] = await trimmed(body.messages, body.model);
      const others = { before: [...marksOf(tools), ...marksOf(system)], behind: automatic ? [automatic] : [] };
      const messages = withBreakpoints(body.messages, after, others);
      return messages === body.messages ? body : { ...body, messages };
    },
  };
}
