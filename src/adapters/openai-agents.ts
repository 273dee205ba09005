/** OpenAI Agents SDK for JavaScript: a filter and models that send trimmed input, and a guard of agents. */
import format from '../formats/openai-agents/openai-agents.js';
import { continuedBy, isOnlyResults, withNeededReasoning } from '../hooks/server-history.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';
import { withMethods } from '../hooks/with-methods.js';

export { guard } from '../guards/openai-agents.js';

/** What this needs of the data for a model call. */
export interface ModelData {
  readonly input: object[];
}

/** What this needs of an agent. */
export interface AgentLike {
  readonly model?: unknown;
}

/** What this needs of a model. */
export interface ModelLike {
  getResponse(request: never): unknown;
  getStreamedResponse(request: never): unknown;
}

interface Request {
  readonly input: string | object[];
}

/**
 * Two ways to send trimmed input, which both leave the session whole: the filter in
 * `new Runner({ callModelInputFilter })` serves all agents, `new Agent({ model: model(yours) })` one model. Input that
 * continues a history on the server (`conversationId`, `previousResponseId`) is only cut.
 * Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions) {
  const trimmed = createTrimmer(format, steps, options, { mend: withNeededReasoning });
  const sent = async (request: Request): Promise<Request> =>
    typeof request.input === 'string'
      ? request
      : { ...request, input: await trimmed(request.input, undefined, continuedBy(request)) };
  const callModelInputFilter = async <D extends ModelData>(call: { modelData: D; agent?: AgentLike }): Promise<D> => {
    const model = call.agent?.model;
    const { input } = call.modelData;
    // the SDK does not tell a filter of conversationId; such an input holds results of the last turn without its calls
    const delta = (items: readonly object[]) => (isOnlyResults(items) ? 'results without their calls' : undefined);
    const named = typeof model === 'string' && model !== '' ? model : undefined;
    return { ...call.modelData, input: await trimmed(input, named, delta) };
  };
  return {
    // without this mark, the SDK copies all items for each call; trimming changes none of them
    callModelInputFilter: Object.assign(callModelInputFilter, { preserveInputIdentity: true }),
    model<M extends ModelLike>(model: M): M {
      const inner = model as unknown as InnerModel;
      return withMethods(model, {
        getResponse: async (request: Request) => inner.getResponse(await sent(request)),
        async *getStreamedResponse(request: Request) {
          yield* inner.getStreamedResponse(await sent(request));
        },
      });
    },
  };
}

interface InnerModel {
  getResponse(request: Request): Promise<unknown>;
  getStreamedResponse(request: Request): AsyncIterable<unknown>;
}
