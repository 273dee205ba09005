/** pi: an extension that asks a policy before a tool runs. */
import format from '../formats/pi/pi-session.js';
import { createRefuser, type GuardOptions } from '../hooks/refusal.js';
import type { Policy } from '../policy/types.js';

/** What this needs of the event of a tool call that is about to be made. */
export interface ToolCallEvent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** What this needs of the context of an event: `getBranch` has all entries up to the reply with the call. */
export interface EventContext {
  readonly sessionManager: { getBranch(): object[] };
}

/** What this needs of pi. */
export interface ToolExtensionApi {
  // biome-ignore lint/suspicious/noExplicitAny: pi has many events, each with a handler of its own
  on(event: 'tool_call', handler: (event: any, context: any) => Promise<any>): unknown;
}

/** An extension that asks the policy before a tool runs: the model reads why a policy denies a call. */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const toolCall = async (event: ToolCallEvent, { sessionManager }: EventContext) => {
    const call = { tool: event.toolName, args: event.input, callId: event.toolCallId };
    const reason = await refuse(call, sessionManager.getBranch());
    return reason === undefined ? undefined : { block: true, reason };
  };
  return { toolCall, extension: (pi: ToolExtensionApi): void => void pi.on('tool_call', toolCall) };
}
