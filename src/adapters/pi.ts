/** pi: extensions that trim what a model is sent, and that deny tool calls. The session stays as it is. */
import format from '../formats/pi/pi-session.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

export { guard, type ToolExtensionApi } from '../guards/pi.js';

/** What this needs of the event. */
export interface ContextEvent<M extends object> {
  readonly messages: M[];
}

/** What this needs of pi. */
export interface ExtensionApi {
  // biome-ignore lint/suspicious/noExplicitAny: pi has many events, each with a handler of its own
  on(event: 'context', handler: (event: any) => Promise<any>): unknown;
}

/**
 * `export default trim(steps).extension` in a file of an extension, or `pi.on('context', trim(steps).context)`. Throws
 * TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  const context = async <M extends object>({ messages }: ContextEvent<M>): Promise<{ messages: M[] }> => ({
    messages: await trimmed(messages),
  });
  return { context, extension: (pi: ExtensionApi): void => void pi.on('context', context) };
}
