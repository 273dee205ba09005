/** opencode: a plugin that asks a policy before a tool runs. */
import format from '../formats/opencode/opencode.js';
import { blaming } from '../hooks/blaming.js';
import { createRefuser, type GuardOptions } from '../hooks/refusal.js';
import { rejectOthers } from '../options/arguments.js';
import type { Policy } from '../policy/types.js';

/** What this needs of a message. */
export interface SentMessage {
  readonly info?: { readonly sessionID: string };
}

/**
 * Hooks of a plugin that asks the policy before a tool runs: the model reads why a policy denies a call. What came
 * before the call is what the model was sent. So put this plugin before one that trims.
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const sent = new Map<string, readonly object[]>();
  return {
    async 'experimental.chat.messages.transform'<M extends SentMessage>(
      _input: object,
      { messages }: { readonly messages: M[] },
    ): Promise<void> {
      await blaming(messages, 'messages', () => {
        rejectOthers(messages);
        const session = messages[0]?.info?.sessionID;
        if (session !== undefined) sent.set(session, [...messages]);
      });
    },
    async 'tool.execute.before'(
      { tool, sessionID }: { readonly tool: string; readonly sessionID: string },
      { args }: { readonly args: unknown },
    ): Promise<void> {
      const before = sent.get(sessionID) ?? [];
      sent.set(sessionID, before); // the calls of a session are counted by this list, whatever the model was sent
      const answer = await refuse({ tool, args }, before);
      if (answer !== undefined) throw new Error(answer); // opencode gives the text to the model
    },
  };
}
