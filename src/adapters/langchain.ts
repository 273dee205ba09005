/** LangChain.js 1: middleware of agents, as `createMiddleware` takes it. */
import format from '../formats/langchain/langchain.js';
import { continuedBy } from '../hooks/server-history.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';

export { guard } from '../guards/langchain.js';

/** What this needs of the request to a model. */
export interface ModelRequest {
  readonly messages: object[];
  readonly model?: unknown;
  readonly modelSettings?: object | undefined;
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
      const { messages, model, modelSettings } = request;
      return handler({ ...request, messages: await trimmed(messages, modelOf(model), continuedBy(modelSettings)) });
    },
  };
}

/** The name of a chat model: each integration has its own member for it. */
function modelOf(model: unknown): string | undefined {
  const { model: name, modelName } = (model ?? {}) as { readonly model?: unknown; readonly modelName?: unknown };
  return [name, modelName].find((value) => typeof value === 'string');
}
