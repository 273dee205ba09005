/** AI SDK 5 to 7: `prepareStep` of agents, `generateText` and `streamText`; middleware of language models; tools. */
import type { LanguageModelMiddleware, ModelMessage } from 'ai';
import format from '../formats/vercel/vercel-model.js';
import { breakpointsBy } from '../hooks/breakpoints.js';
import { continuedBy } from '../hooks/server-history.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';
import { marksBefore, vercelMarks } from '../hooks/vercel-marks.js';

export { guard } from '../guards/ai-sdk.js';

/** What all versions tell `prepareStep`. Version 7 alone has the initial messages. */
export interface PreparedStep {
  readonly messages: readonly ModelMessage[];
  readonly model?: string | { readonly modelId: string };
  readonly initialMessages?: readonly ModelMessage[];
  readonly responseMessages?: readonly ModelMessage[];
  readonly steps?: readonly {
    readonly response: { readonly messages: readonly ModelMessage[] };
    readonly experimental_steeringMessages?: readonly ModelMessage[];
  }[];
  readonly experimental_steeringMessages?: readonly ModelMessage[];
}

export interface Hooks {
  prepareStep(step: PreparedStep): Promise<{ messages: ModelMessage[] }>;
  readonly middleware: LanguageModelMiddleware;
}

/**
 * Hooks that send trimmed messages: `generateText({ …, prepareStep })`, or `wrapLanguageModel({ model, middleware })`
 * for everything that calls the model. If a prompt for Anthropic has cache breakpoints, the middleware adds one before
 * the oldest whole call, where the next cut begins. Throws TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, options?: TrimOptions): Hooks {
  const trimmed = createTrimmer(format, steps, options, { needsReasoning: true });
  const withBreakpoints = breakpointsBy(vercelMarks);
  const middleware = {
    specificationVersion: 'v3', // a matter of types: no version of the SDK reads it
    async transformParams({ params, model }) {
      const { prompt, tools, providerOptions } = params;
      const after = await trimmed(prompt, model.modelId, deltaBy(providerOptions));
      if (!model.provider.includes('anthropic')) return { ...params, prompt: after };
      const marked = withBreakpoints(prompt, after, { before: marksBefore(tools, after) });
      return { ...params, prompt: marked as typeof after };
    },
  } as LanguageModelMiddleware;
  return {
    async prepareStep(step) {
      const model = typeof step.model === 'string' ? step.model.split('/').at(-1) : step.model?.modelId;
      return { messages: await trimmed(historyOf(step), model) };
    },
    middleware,
  };
}

/** The option of a provider that continues a history on its server. */
function deltaBy(options: Readonly<Record<string, object>> = {}): string | undefined {
  return Object.values(options).map(continuedBy).find(Boolean);
}

/**
 * The whole history before a step. From version 7 on, `messages` holds what the hook returned for the step before: so
 * it is put together from what was given, answered, and added by the user meanwhile.
 */
function historyOf({ messages, initialMessages, responseMessages, steps = [], ...step }: PreparedStep) {
  if (initialMessages === undefined || responseMessages === undefined) return messages;
  const answered = steps.flatMap(({ response }) => response.messages);
  const resumed = responseMessages.slice(0, responseMessages.length - answered.length);
  const ran = steps.flatMap((one) => [...(one.experimental_steeringMessages ?? []), ...one.response.messages]);
  return [...initialMessages, ...resumed, ...ran, ...(step.experimental_steeringMessages ?? [])];
}
