/** LangChain.js 1: middleware of agents that asks a policy before a tool runs. */
import format from '../formats/langchain/langchain.js';
import { createRefuser, type GuardOptions } from '../hooks/refusal.js';
import type { Policy } from '../policy/types.js';

/** What this needs of a tool call that is about to be made. */
export interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string };
  readonly state: { readonly messages: object[] };
}

/**
 * Middleware that asks the policy before a tool runs: a call that it denies gets the reason as its result.
 * `createAgent({ …, middleware: [createMiddleware(guard(policy))] })`
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  return {
    name: 'ctx-trim guard',
    async wrapToolCall<R extends ToolRequest, T>(request: R, handler: (request: R) => T | Promise<T>): Promise<T> {
      const { name, args, id = '' } = request.toolCall;
      const content = await refuse({ tool: name, args, callId: id }, request.state.messages);
      if (content === undefined) return handler(request);
      const { ToolMessage } = await import('@langchain/core/messages');
      return new ToolMessage({ content, name, tool_call_id: id, status: 'error' }) as T;
    },
  };
}
