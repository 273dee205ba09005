/** opencode: plugins that trim what a model is sent, and that deny tool calls. The session stays as it is. */
import { TranscriptError } from '../errors.js';
import format from '../formats/opencode/opencode.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

export { guard } from '../guards/opencode.js';

/**
 * Hooks of a plugin: `export const Trim = async () => trim(steps)`. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  return {
    /** Changes the list itself: opencode goes on with it, whatever the hook returns. */
    async 'experimental.chat.messages.transform'<M extends object>(
      _input: object,
      { messages }: { readonly messages: M[] },
    ): Promise<void> {
      const after = await trimmed(messages);
      if (after === messages) return;
      if (Object.isFrozen(messages))
        throw new TranscriptError('usage', '`messages` is frozen, so nothing can be trimmed');
      messages.length = 0;
      for (const message of after) messages.push(message);
    },
  };
}
