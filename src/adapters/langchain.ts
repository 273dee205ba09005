/** LangChain.js 1: middleware of agents, as `createMiddleware` takes it. */
import format from '../formats/langchain/langchain.js';
import { createRefuser, type GuardOptions } from '../library/refusal.js';
import { createTrimmer, type Steps, type TrimOptions } from '../library/trim.js';
import type { Policy } from '../policy/types.js';

/** What this needs of the request to a model. */
export interface ModelRequest {
  readonly messages: object[];
  readonly model?: unknown;
}

/** What this needs of a tool call that is about to be made. */
export interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string };
  readonly state: { readonly messages: object[] };
}

/**
 * Middleware that sends trimmed messages: `createAgent({ …, middleware: [createMiddleware(trim(steps))] })`. The
 * messages of the state stay as they are. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options);
  return {
    name: 'ctx-trim',
    async wrapModelCall<R extends ModelRequest, T>(request: R, handler: (request: R) => T | Promise<T>): Promise<T> {
      return handler({ ...request, messages: await trimmed(request.messages, modelOf(request.model)) });
    },
  };
}

/** The name of a chat model: each integration has its own member for it. */
function modelOf(model: unknown): string | undefined {
  const { model: name, modelName } = (model ?? {}) as { readonly model?: unknown; readonly modelName?: unknown };
  return [name, modelName].find((value) => typeof value === 'string');
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
      const content = await refuse({ tool: name, args }, request.state.messages);
      if (content === undefined) return handler(request);
      const { ToolMessage } = await import('@langchain/core/messages');
      return new ToolMessage({ content, name, tool_call_id: id, status: 'error' }) as T;
    },
  };
}
