/** LangChain.js 1: middleware of agents, as `createMiddleware` takes it. */
import format from '../formats/langchain/langchain.js';
import { anthropicMarks, marksOf } from '../hooks/anthropic-marks.js';
import { breakpointsBy, type Mark } from '../hooks/breakpoints.js';
import { continuedBy } from '../hooks/server-history.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

export { guard } from '../guards/langchain.js';

/** What this needs of the request to a model. */
export interface ModelRequest {
  readonly messages: object[];
  readonly model?: unknown;
  readonly modelSettings?: object | undefined;
  readonly systemMessage?: object | undefined;
  readonly tools?: unknown;
}

/**
 * Middleware that sends trimmed messages: `createAgent({ …, middleware: [createMiddleware(trim(steps))] })`. The
 * messages of the state stay as they are. If a request to Anthropic has cache breakpoints, one more goes before the
 * oldest whole call, where the next cut begins. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  const withBreakpoints = breakpointsBy(marks);
  return {
    name: 'ctx-trim',
    async wrapModelCall<R extends ModelRequest, T>(request: R, handler: (request: R) => T | Promise<T>): Promise<T> {
      const { messages, model, modelSettings } = request;
      const after = await instances(messages, await trimmed(messages, modelOf(model), continuedBy(modelSettings)));
      const sent = isAnthropic(model) ? withBreakpoints(messages, after, marksAround(request)) : after;
      return handler({ ...request, messages: sent });
    },
  };
}

/** What a step added is no instance yet, as other middleware expects it. */
async function instances(before: readonly object[], after: object[]): Promise<object[]> {
  if (before.some(isPlain) || !after.some(isPlain)) return after;
  const { coerceMessageLikeToMessage } = await import('@langchain/core/messages');
  return after.map((one) => (isPlain(one) ? coerceMessageLikeToMessage(one as never) : one));
}

function isPlain(message: object): boolean {
  return Object.getPrototypeOf(message) === Object.prototype;
}

/** The name of a chat model: each integration has its own member for it. */
function modelOf(model: unknown): string | undefined {
  const { model: name, modelName } = (model ?? {}) as { readonly model?: unknown; readonly modelName?: unknown };
  return [name, modelName].find((value) => typeof value === 'string');
}

/** LangChain keeps calls beside the content, and may have the system prompt in the list. */
const marks = {
  ...anthropicMarks,
  of: (message: object) => (isSystem(message) ? [] : anthropicMarks.of(message)),
  hasCall: (message: object) => ((message as { readonly tool_calls?: readonly object[] }).tool_calls ?? []).length > 0,
};

function isSystem(message: object): boolean {
  return (message as { readonly type?: unknown }).type === 'system';
}

function marksAround({ messages, systemMessage, tools, modelSettings }: ModelRequest) {
  const systems = [systemMessage ?? {}, ...messages.filter(isSystem)];
  const automatic = (modelSettings as { readonly cache_control?: Mark } | undefined)?.cache_control;
  return { before: [...marksOf(tools), ...systems.flatMap(anthropicMarks.of)], behind: automatic ? [automatic] : [] };
}

function isAnthropic(model: unknown): boolean {
  const { _llmType: type } = (model ?? {}) as { readonly _llmType?: unknown };
  return typeof type === 'function' && type.call(model) === 'anthropic';
}
